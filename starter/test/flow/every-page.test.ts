import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { PARTS } from '../../parts.ts'
import { ledgerOf } from '../crash/ledger.ts'
import { databases, ON_POSTGRES } from '../databases.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, type Page, World } from '../support.ts'
import { reports } from './reports.ts'
import { everywhere, routesOf, type Values } from './routes.ts'
import { atDoor, personOf, signUp } from './steps.ts'

// These end what the walk stands on, or are files that everybody may keep.
const LEAVES = /^\/(?:logout|healthz|readyz|brand\/.*)$|\/(?:cancel|all|others|done|remove)$/
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
]

/** Every page that somebody sees. */
async function pagesOf(
  world: World,
  browser: Browser,
  values: Values,
): Promise<readonly (readonly [string, Page])[]> {
  const found: (readonly [string, Page])[] = []
  for (const { method, path } of await routesOf(world, values)) {
    if (method !== 'GET') continue
    const page = await browser.open(path)
    const isPage = page.headers.get('content-type')?.startsWith('text/html') ?? false
    if (page.status === 200 && isPage) found.push([path, page])
  }
  return found
}

describe('every page', () => {
  it('and whatever else is answered is stored by no cache, whoever asks in whatever way [RA-0003 A-057 FLOW-48 FLOW-49 FLOW-50]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const { inside, values } = await everywhere(world)
    const enrolling = world.browser()
    const eve = await personOf(world, 'eve', await signUp(world, enrolling, 'eve'))
    const codes = await enrolling.submit('/enroll', { code: await world.code(eve) })
    const waiting = await atDoor(world, await world.person('ada', { factor: 'enabled' }))
    const paths = new Set(
      (await routesOf(world, values))
        .map(({ path }) => path)
        .filter((path) => !LEAVES.test(path) && !(path in ofParts('noPages'))),
    )
    const kept: string[] = []
    const statuses = new Set([codes.status])
    const note = (what: string, { status, headers }: Pick<Page, 'status' | 'headers'>): void => {
      statuses.add(status)
      if (headers.get('cache-control') !== 'no-store') kept.push(`${what}: ${status}`)
    }

    note('the codes', codes)
    for (const browser of [world.browser(), waiting, enrolling, inside])
      for (const path of [
        ...paths,
        '/login/',
        '/login/3fa',
        '/login?code=1',
        '/enroll/confirm/x',
        '/reports',
      ]) {
        await browser.open('/login')
        note(`GET ${path}`, await browser.open(path))
        note(`POST ${path}`, await browser.submit(path, { code: '000000', email: 'x', password: 'x' }))
        note(`forged ${path}`, await browser.submit(path, { _csrf: 'x' }))
        for (const method of ['HEAD', 'DELETE'])
          note(`${method} ${path}`, await browser.client.request(method, path))
      }

    assert.deepEqual(kept, [])
    for (const status of [200, 302, 303, 401, 403, 404, 405, 410, 422])
      assert.ok(statuses.has(status), `${status}`)
    assert.deepEqual(world.faults, [])
  })

  it('runs no foreign script, stands in no frame, tells no other site of itself, and has a token in each form [RA-0003 RA-0004 FLOW-42]', async (test) => {
    const world = await World.create(test)
    const { inside, values } = await everywhere(world)

    for (const browser of [world.browser(), inside])
      for (const [path, { headers, html }] of await pagesOf(world, browser, values)) {
        const policy = headers.get('content-security-policy') ?? ''
        for (const part of POLICY) assert.ok(policy.includes(part), `${path}: ${part}`)
        assert.doesNotMatch(policy, /unsafe/, path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
        assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/, path)
        for (const [form = ''] of html.matchAll(/<form[^>]*>[^]*?<\/form>/g)) {
          if (/method="get"/.test(form)) continue
          assert.match(form, /<form[^>]* method="post"/, path)
          assert.match(form, /<input type="hidden" name="_csrf" value="[\w-]{86}">/, path)
        }
      }
  })

  it('of a signed-in user says who that is, and offers to sign out [RA-0005 AUTH-14]', async (test) => {
    const world = await World.create(test)
    const { inside, values } = await everywhere(world)

    const pages = await pagesOf(world, inside, values)

    const paths = pages.map(([path]) => path)
    for (const start of Object.values(values)) assert.ok(paths.join(' ').includes(start), start)
    for (const [path, { html }] of pages)
      assert.match(html, /Signed in as root[^]*<form method="post" action="\/logout">/, path)
  })
})

describe('a form without its token', () => {
  it('does nothing under another method, in a field, in the query or in a header [RA-2707 RA-0004]', async (test) => {
    const world = await World.create(test)
    const { inside, root, values } = await everywhere(world)
    const posts = (await routesOf(world, values)).filter(({ method }) => method === 'POST')
    const state = async (): Promise<unknown> => {
      // The page that shows a secret keeps it, until its first code.
      await world.database.deleteFrom('factor').where('state', '=', 'unverified').execute()
      return ledgerOf(world.database)
    }
    const before = await state()
    const fields = { reason: 'ticket 4711', email: root.email, name: 'Eve', label: 'Eve' }
    assert.ok(posts.length > 20 + PARTS.length)

    for (const { path } of posts)
      for (const as of ['GET', 'HEAD', 'OPTIONS']) {
        const headers = { 'x-http-method-override': as, 'x-method-override': as }
        const page = await inside.submit(
          `${path}?_method=${as}`,
          { ...fields, _method: as, _csrf: 'x' },
          { headers },
        )
        assert.equal(page.status, 403, `${as} ${path}`)
        const head = await inside.client.request('HEAD', path, {
          headers: { 'x-http-method-override': 'POST' },
        })
        assert.ok([200, 302, 303, 404, 405, 410].includes(head.status), `${path}: ${head.status}`)
      }

    assert.deepEqual(await state(), before)
    assert.equal(await inside.isSignedIn(), true)
  })
})

describe('the session', () => {
  it('has a short cookie for this host only, and its identifier is in no file: a digest is [RA-0001]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.open('/login')
    const before = browser.sessionId ?? ''

    const { headers } = await browser.signIn(await world.person('bob'))

    const [cookie = ''] = headers.getSetCookie().filter((line) => line.startsWith('__Host-sid='))
    for (const part of ['; Path=/', '; HttpOnly', '; Secure', '; SameSite=Lax'])
      assert.ok(cookie.includes(part), part)
    assert.doesNotMatch(cookie, /Domain/i)
    assert.ok(cookie.length < 4096)
    const id = browser.sessionId ?? ''
    assert.notEqual(id, before)
    // 43 characters of base64url are 256 bits.
    assert.match(id, /^[\w-]{43}$/)
    assert.equal(await world.store.read(id), null)
    if (ON_POSTGRES) return
    const stored = await databases.stored(world.directory)
    const digest = createHash('sha256').update(id).digest()
    const kept = [digest.toString('base64url'), digest.toString('hex'), digest.toString('latin1')]
    assert.ok(kept.some((form) => stored.includes(form)))
    const bytes = Buffer.from(id, 'base64url')
    for (const form of [id, id.slice(2), bytes.toString('hex'), bytes.toString('latin1')])
      assert.equal(stored.includes(form), false)
  })
})
