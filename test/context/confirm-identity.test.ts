import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { App, Controller, defineModule, type HttpContext, inject } from 'sallyport'
import { AccountSessions, SessionAuthentication } from 'sallyport/auth'
import { DiskFileStorage } from 'sallyport/files'
import { ForbiddenException, type Middleware, type Next } from 'sallyport/http'
import { FileStorage, type Submitted, type Uploaded } from 'sallyport/input'
import { CsrfMiddleware, MethodOverrideMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Actions, form, input, upload } from 'sallyport/routing'
import { z } from 'zod'

class User {}

const Note = z.object({ text: z.string() })
const files = { picture: { types: ['image/gif'], optional: true } }
const done: string[] = []

/** Identifies before any of the body is read, as applications do. */
class ResolveUser implements Middleware {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    if (identifier !== null) context.auth().authenticate(new User())
    return next()
  }
}

class SignedIn implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw new ForbiddenException('Sign in')
    return next()
  }
}

class DoorController extends Controller {
  static readonly actions = {
    index: [],
    inPost: [],
    outPost: [],
    rotatePost: [],
  } satisfies Actions<DoorController>
  readonly #sessions = inject(SessionAuthentication)

  async index() {
    return { token: await this.context.csrf().token() }
  }

  async inPost() {
    await this.#sessions.login(this.context.session(), this.context.auth(), '42', new User())
  }

  async outPost() {
    await this.#sessions.logout(this.context.session(), this.context.auth())
  }

  async rotatePost() {
    await this.context.session().regenerateId()
  }
}

class NoteController extends Controller {
  static readonly actions = {
    index: [],
    formPost: [form(Note)],
    plainPost: [],
    inputPost: [input(Note)],
    ownPost: [],
    uploadPost: [upload(Note, { files })],
  } satisfies Actions<NoteController>

  readonly #sessions = inject(SessionAuthentication)

  async formPost(form: Submitted<typeof Note>) {
    await this.#note(`form ${String(form.ok)}`)
  }

  async index() {
    await this.#note('index')
  }

  async plainPost() {
    await this.#note('plain')
  }

  async inputPost({ text }: z.infer<typeof Note>) {
    await this.#note(`input ${text}`)
  }

  async ownPost() {
    await this.#note(`own ${(await this.context.form())?.text('text') ?? ''}`)
  }

  async uploadPost(form: Uploaded<typeof Note>) {
    if (form.ok) await form.files.one('picture')?.keep()
    await this.#note(`upload ${String(form.ok)}`)
  }

  async #note(what: string) {
    const who = (await this.#sessions.identifier(this.context.session())) ?? 'nobody'
    done.push(`${what} by ${who}`)
  }
}

interface Site {
  readonly port: number
  readonly folder: string
  readonly sessions: AccountSessions
  send(path: string, sent?: Sent): Promise<Reply>
  hold(path: string, sent: Sent & { body: string }): Promise<(rest?: string) => Promise<Reply>>
  close(): Promise<void>
}

interface Sent {
  readonly method?: string
  readonly cookie?: string
  readonly type?: string
  readonly token?: string
  readonly body?: string
  /** Whether the length of the body is not told. Default: it is. */
  readonly inChunks?: boolean
}

interface Reply {
  readonly status: number
  readonly text: string
  /** The session cookie that was set; undefined if none was. */
  readonly cookie: string | undefined
}

async function open(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'held-body-'))
  const door = defineModule('Door', (module) => module.controllers(DoorController))
  const notes = defineModule('Notes', (module) =>
    module.controllers(NoteController).middleware(ResolveUser, SignedIn, CsrfMiddleware),
  )
  // Nothing reads the session before the action does.
  const bare = defineModule('Bare', (module) => module.controllers(NoteController))
  const later = defineModule('Later', (module) =>
    module
      .controllers(NoteController)
      .middleware(MethodOverrideMiddleware, CsrfMiddleware, ResolveUser, SignedIn),
  )
  const app = App.create()
    .modules(door, notes, bare, later)
    .configure((definitions) =>
      definitions.set(FileStorage, new DiskFileStorage({ directory: pathToFileURL(`${folder}/`) })),
    )
  // However slow the machine is, a request that is held has arrived.
  const arrivals = new EventEmitter()
  app.middleware().incoming({
    process: (_, next) => {
      arrivals.emit('request')
      return next()
    },
  })
  await app.boot()
  const sessions = app.get(AccountSessions)
  const server = await serve(app, { port: 0, host: '127.0.0.1' })
  const begin = (path: string, { method = 'POST', cookie, type, token, body = '', inChunks }: Sent) =>
    request({
      host: '127.0.0.1',
      port: server.port,
      path,
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(token === undefined ? {} : { 'x-csrf-token': token }),
        ...(inChunks === true && { 'transfer-encoding': 'chunked' }),
        ...(body !== '' && inChunks !== true && { 'content-length': Buffer.byteLength(body) }),
      },
    })
  return {
    port: server.port,
    folder,
    sessions,
    send: async (path, sent = {}) => {
      const outgoing = begin(path, sent)
      const answered = answerTo(outgoing)
      outgoing.end(sent.body ?? '')
      return answered
    },
    hold: async (path, sent) => {
      const outgoing = begin(path, sent)
      const answered = answerTo(outgoing)
      const arrived = once(arrivals, 'request')
      outgoing.write(sent.body.slice(0, -3))
      await arrived
      // Long enough for the head to have been answered as far as it can be.
      await new Promise((resolve) => setTimeout(resolve, 50))
      return () => {
        outgoing.end(sent.body.slice(-3))
        return answered
      }
    },
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function answerTo(outgoing: ReturnType<typeof request>): Promise<Reply> {
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of message.setEncoding('utf8')) text += String(piece)
  const cookie = message.headers['set-cookie']
    ?.map((line) => line.split(';')[0] ?? '')
    .find((line) => /^sid[-\d]*=/.test(line))
  return { status: message.statusCode ?? 0, text, cookie }
}

const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'

/** How a body is sent to each kind of action, with the token where the action finds it. */
const KINDS: Readonly<Record<string, (token: string) => Sent & { path: string; body: string }>> = {
  'form()': (token) => ({ path: '/notes/note/form', type: URL_ENCODED, body: `_csrf=${token}&text=hello` }),
  'form() with the token in the header': (token) => ({
    path: '/notes/note/form',
    type: URL_ENCODED,
    token,
    body: 'text=hello',
  }),
  'input() of JSON': (token) => ({
    path: '/notes/note/input',
    type: 'application/json',
    token,
    body: '{"text":"hello"}',
  }),
  'input() of JSON in chunks': (token) => ({
    path: '/notes/note/input',
    type: 'application/json',
    token,
    body: '{"text":"hello"}',
    inChunks: true,
  }),
  'form() in chunks': (token) => ({
    path: '/notes/note/form',
    type: URL_ENCODED,
    token,
    body: 'text=hello',
    inChunks: true,
  }),
  'an action without an argument, and a body in chunks': (token) => ({
    path: '/notes/note/plain',
    type: 'application/json',
    token,
    body: '{"text":"hello"}',
    inChunks: true,
  }),
  'GET with a body in chunks': (token) => ({
    path: '/notes/note',
    method: 'GET',
    type: 'application/json',
    token,
    body: '{"text":"hello"}',
    inChunks: true,
  }),
  'context.form()': (token) => ({ path: '/notes/note/own', type: URL_ENCODED, token, body: 'text=hello' }),
  'upload()': (token) => ({
    path: '/notes/note/upload',
    type: MULTIPART,
    body: [
      '--x\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\n',
      token,
      '\r\n--x\r\ncontent-disposition: form-data; name="text"\r\n\r\nhello\r\n--x\r\n',
      'content-disposition: form-data; name="picture"; filename="a.gif"\r\n\r\nGIF89a\r\n--x--\r\n',
    ].join(''),
  }),
}

interface Ending {
  readonly does: (site: Site, cookie: string) => Promise<unknown>
  readonly stands: boolean
}

const ENDS: Readonly<Record<string, Ending>> = {
  'nothing happens': { does: () => Promise.resolve(), stands: true },
  'another request rotates the session': {
    does: (site, cookie) => site.send('/door/door/rotate', { cookie }),
    stands: true,
  },
  'the sessions of the account are ended': { does: (site) => site.sessions.endAll('42'), stands: false },
  'another request signs out': {
    does: (site, cookie) => site.send('/door/door/out', { cookie }),
    stands: false,
  },
  'another request signs out and in again': {
    does: async (site, cookie) => {
      const out = await site.send('/door/door/out', { cookie })
      return site.send('/door/door/in', { cookie: out.cookie ?? cookie })
    },
    stands: false,
  },
}

describe('confirmIdentity()', () => {
  let site: Site
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  for (const [order, name] of [
    ['read', 'notes'],
    ['not read', 'later'],
    ['not even asked for', 'bare'],
  ] as const)
    for (const [kind, fill] of Object.entries(KINDS))
      for (const [end, { does, stands }] of Object.entries(ENDS))
        it(`${kind} ${stands ? 'acts' : 'does not act'} when ${end}, with the session ${order} before the body [ACCT-02]`, async () => {
          const { cookie = '' } = await site.send('/door/door/in')
          const { token } = JSON.parse((await site.send('/door/door', { method: 'GET', cookie })).text) as {
            token: string
          }
          const sent = fill(token)
          done.length = 0
          const release = await site.hold(sent.path.replace('notes', name), { ...sent, cookie })
          await does(site, cookie)

          const reply = await release()

          assert.equal(reply.status, stands ? 204 : 403, reply.text)
          assert.equal(done.length, stands ? 1 : 0)
          assert.match(done[0] ?? 'by 42', /by 42$/)
          assert.equal(reply.cookie, undefined)
          const kept = (await readdir(site.folder)).filter((file) => file.endsWith('.gif'))
          assert.equal(kept.length > 0, stands && kind === 'upload()')
          for (const file of kept) await rm(join(site.folder, file))
        })
})
