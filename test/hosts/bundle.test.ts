import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { build } from 'esbuild'
import { build as rolldown } from 'rolldown'
import { PasswordHasher } from 'sallyport/auth'
import { bundlers, installForBundles, runBundle, runInstalled } from './loaded-bundle.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const HELLO = `
import { App, Controller, defineModule } from 'sallyport'
class HelloController extends Controller {
  static actions = { index: [] }
  index() { return { hello: 'world' } }
}
const hello = defineModule('Hello', (module) => module.routes((routes) => routes.get('/', [HelloController, 'index'])))
const app = App.create().modules(hello)
console.log(await (await app.fetch(new Request('http://localhost/hello'))).text())
`

const SIGN_IN = `
import { App, Controller, defineModule, inject } from 'sallyport'
import { PasswordHasher, SessionAuthentication } from 'sallyport/auth'
import { CsrfMiddleware } from 'sallyport/middleware'
import { form } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'

const Credentials = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
class SignInController extends Controller {
  static actions = { index: [], indexPost: [form(Credentials)] }
  #hasher = inject(PasswordHasher)
  #login = inject(SessionAuthentication)
  async index() { return { token: await this.context.csrf().token(), name: this.context.auth().isAuthenticated() } }
  async indexPost(submitted) {
    const { name, password } = submitted.value
    if (!(await this.#hasher.verify(password, await this.#hasher.hash('right')))) return this.redirect('/')
    await this.#login.login(this.context.session(), this.context.auth(), name, { name })
    await this.context.flash().add('notice', 'Welcome')
    return { name: this.context.auth().principal().name }
  }
}
const site = defineModule('Site', (module) =>
  module.middleware(CsrfMiddleware).routes((routes) => {
    routes.get('/', [SignInController, 'index'])
    routes.post('/', [SignInController, 'indexPost'])
  }),
)
const app = App.create()
  .modules(site)
  .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
const url = 'http://localhost/site'
const page = await app.fetch(new Request(url))
const cookie = page.headers.get('set-cookie').split(';')[0]
const body = new URLSearchParams({ name: 'Ada', password: 'right', _csrf: (await page.json()).token })
const answer = await app.fetch(new Request(url, { method: 'POST', body, headers: { cookie, origin: 'http://localhost' } }))
console.log(await answer.text())
`

const REFUSAL = `
import { App, Controller, defineModule } from 'sallyport'
import { ValidationException, Violation } from 'sallyport/input'
class NameController extends Controller {
  static actions = { index: [] }
  index() {
    const parameters = { least: 3 }
    throw new ValidationException([new Violation({ field: null, code: 'short', fallback: 'At least {least}', parameters })])
  }
}
const names = defineModule('Names', (module) => module.mount('/').routes((routes) => routes.get('/', [NameController, 'index'])))
const response = await App.create().modules(names).fetch(new Request('http://localhost/', { headers: { accept: 'application/json' } }))
console.log((await response.json()).violations[0].fallback)
`

// A newer version has been deployed over the files of a running one.
const REPLACED = `
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'sallyport'
const app = await App.create().boot()
for (const file of readdirSync(import.meta.dirname)) rmSync(join(import.meta.dirname, file))
const response = await app.fetch(new Request('http://localhost/nothing'))
console.log(response.status, await response.text())
`

// Bytes; the second one is what is reached, and may only fall.
const BUDGETS = [
  { what: 'a hello world', program: HELLO, most: 50_000, printed: '{"hello":"world"}' },
  { what: 'a sign-in', program: SIGN_IN, most: 87_000, printed: '{"name":"Ada"}' },
] as const

// A text of each part that a program does not need: texts survive what bundlers do to names.
const NOT_OF_SIGN_IN: Readonly<Record<string, string>> = { 'negotiation of languages': 'paradigms' }
const PARTS: Readonly<Record<string, string>> = {
  'constraints of placeholders': String.raw`\[(?:[^\]\\]|`,
  'the convention': '(?<=.)Controller$',
  'password hashing': '$argon2',
  sessions: 'idleSeconds',
  views: 'translate "${',
  'CSRF tokens': 'x-csrf-token',
  forms: 'The text of the form',
  'message formatting': 'MISSING_VALUE',
  'route inspection': 'unreachable-route',
  'pages of errors': 'Unavailable for legal reasons',
  ...NOT_OF_SIGN_IN,
}

const HASHER = `
import { PasswordHasher } from '${join(root, 'src/auth/index.ts')}'
export const hasher = new PasswordHasher()
`

async function bundleWithEsbuild(entry: string, outdir: string): Promise<void> {
  await build({
    entryPoints: [entry],
    bundle: true,
    outdir,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  })
}

async function bundleWithRolldown(entry: string, dir: string): Promise<void> {
  await rolldown({ input: entry, output: { dir }, platform: 'node', logLevel: 'silent' })
}

describe('a program bundled from the package', () => {
  let folder = ''
  before(() => {
    folder = installForBundles()
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const bundler of Object.keys(bundlers)) {
    for (const { what, program, most, printed: answer } of BUDGETS)
      it(`loads at most ${most} bytes for ${what} by ${bundler}, compressed [HOST-06]`, async (t) => {
        const { bytes, printed } = await runBundle(folder, bundler, program)

        t.diagnostic(`${bytes} bytes`)
        assert.equal(printed, answer)
        assert.equal(runInstalled(folder, program), answer)
        assert.ok(bytes <= most, `${bytes} bytes`)
      })

    it(`loads by ${bundler} only what a hello world and a sign-in use [HOST-06]`, async () => {
      const { code, left } = await runBundle(folder, bundler, `${SIGN_IN}\n`)
      const hello = await runBundle(folder, bundler, HELLO)

      for (const [part, text] of Object.entries(PARTS)) {
        assert.equal(`${code}${left}`.includes(text), true, `no text tells ${part}`)
        assert.equal(hello.code.includes(text), false, part)
        if (part in NOT_OF_SIGN_IN) assert.equal(code.includes(text), false, part)
      }
    })

    it(`formats a message by ${bundler} when the first one is needed`, async () => {
      const { printed } = await runBundle(folder, bundler, REFUSAL)

      assert.equal(printed, 'At least 3')
    })
  }

  it('answers errors without pages when the code for these is gone', async () => {
    const { printed } = await runBundle(folder, 'esbuild', REPLACED)

    assert.equal(printed, '404 There is nothing at this address')
  })

  it('may have a view engine of its own, without a template engine', async () => {
    const { code } = await runBundle(folder, 'esbuild', HELLO)

    assert.equal(/edge\.js|EdgeError/.test(code), false)
  })
})

describe('a bundle of a password hasher', () => {
  for (const [name, bundleFile] of [
    ['esbuild', bundleWithEsbuild],
    ['rolldown', bundleWithRolldown],
  ] as const) {
    it(`is made by ${name} without flags, and hashes without native code [HOST-07]`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sallyport-bundle-'))
      try {
        const entry = join(folder, 'entry.ts')
        await writeFile(entry, HASHER)
        await bundleFile(entry, join(folder, 'out'))
        const file = pathToFileURL(join(folder, 'out', 'entry.js')).href
        const { hasher } = (await import(file)) as { hasher: PasswordHasher }

        // There is no package beside the bundle that it could load.
        assert.equal(await hasher.implementation(), 'platform')
        assert.equal(await new PasswordHasher().verify('right', await hasher.hash('right')), true)
        assert.equal(await hasher.verify('wrong', await new PasswordHasher().hash('right')), false)
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }
})
