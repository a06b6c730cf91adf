import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { PARTS } from '../../parts.ts'
import { ledgerOf } from '../crash/ledger.ts'
import { databases, ON_POSTGRES } from '../databases.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Page, World } from '../support.ts'
import { reports } from './reports.ts'
import { everywhere, routesOf } from './routes.ts'
import { atDoor, personOf, signUp } from './steps.ts'

// These end what the walk stands on, or are files that everybody may keep.
const LEAVES = /^\/(?:logout|healthz|readyz|brand\/.*)$|\/(?:cancel|all|others|done|remove)$/
// Beside the routes: other spellings, another method, a permission that nobody has.
const BESIDE = [
  '/login/',
  '/login/3fa',
  '/login?code=1',
  '/login/2fa/cancel',
  '/enroll/confirm/x',
  '/reports',
].map((path) => ({ method: 'GET', path }))
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
]
const SIGNED_IN = /Signed in as root[^]*<form method="post" action="\/logout">/

/** Asserts what holds of every answer. */
function assertSafe({ headers, html }: Page, what: string): void {
  assert.equal(headers.get('cache-control'), 'no-store', what)
  if (headers.get('content-type')?.startsWith('text/html') !== true) return
  const policy = headers.get('content-security-policy') ?? ''
  for (const part of POLICY) assert.ok(policy.includes(part), `${what}: ${part}`)
  assert.doesNotMatch(policy, /unsafe/, what)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/, what)
  for (const [form = ''] of html.matchAll(/<form[^>]*>[^]*?<\/form>/g)) {
    if (/method="get"/.test(form)) continue
    assert.match(form, /<form[^>]* method="post"/, what)
    assert.match(form, /<input type="hidden" name="_csrf" value="[\w-]{86}">/, what)
  }
}

describe('every answer', () => {
  it('is stored by no cache, runs no foreign script, stands in no frame, has a token in each form, and says who is signed in, also when it refuses [RA-0003 RA-0004 RA-0005 RA-2805 A-057 AUTH-14 FLOW-42 FLOW-48 FLOW-49 FLOW-50 TOPO-01 TOPO-03]', async (test) => {
    const world = await World.create(test, { modules: [reports] })
    const { inside, values } = await everywhere(world)
    const enrolling = world.browser()
    const eve = await personOf(world, 'eve', await signUp(world, enrolling, 'eve'))
    assertSafe(await enrolling.submit('/enroll', { code: await world.code(eve) }), 'the codes')
    const waiting = await atDoor(world, await world.person('ada', { factor: 'enabled' }))
    const routes = (await routesOf(world, values)).filter(
      ({ path }) => !LEAVES.test(path) && !(path in ofParts('noPages')),
    )
    const statuses = new Set<number>()

    for (const [who, browser] of Object.entries({ nobody: world.browser(), waiting, enrolling, inside })) {
      const look = (what: string, page: Page): void => {
        statuses.add(page.status)
        assertSafe(page, `${who}: ${what}`)
        if (browser === inside && page.status !== 404 && page.html !== '')
          assert.match(page.html, SIGNED_IN, what)
      }
      for (const { method, path } of [...BESIDE, ...routes])
        if (method === 'GET') look(`GET ${path}`, await browser.open(path))
        else if (method === 'POST') {
          await browser.open('/login')
          look(`POST ${path}`, await browser.submit(path, { code: '000000', email: 'x', password: 'x' }))
          const forged = await browser.submit(path, { _csrf: 'x' })
          look(`forged ${path}`, forged)
          // The token is looked at after the identity, and before the guards.
          if (/^\/(?:account|admin)/.test(path)) assert.equal(forged.status, 403, `${who}: ${path}`)
        }
    }

    for (const path of ['/nothing-here', '/account/nothing-here'])
      assert.match((await inside.open(path)).html, SIGNED_IN, path)
    for (const status of [200, 302, 303, 403, 404, 405, 410, 422])
      assert.ok(statuses.has(status), `${status}`)
    assert.deepEqual(world.faults, [])
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
