import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARTS } from '../../parts.ts'
import { ledgerOf } from '../crash/ledger.ts'
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
    const shown: string[] = []

    for (const [who, browser] of Object.entries({ nobody: world.browser(), waiting, enrolling, inside })) {
      const look = (what: string, page: Page): void => {
        statuses.add(page.status)
        assertSafe(page, `${who}: ${what}`)
        if (page.status === 200) shown.push(what)
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

    for (const id of Object.values(values)) assert.ok(shown.join(' ').includes(id), id)
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
    assert.ok(posts.length > 20 + PARTS.length)
    const before = await ledgerOf(world.database)
    const fields = { reason: 'ticket 4711', email: root.email, name: 'Eve', label: 'Eve' }

    for (const { path } of posts)
      for (const as of ['GET', 'HEAD', 'OPTIONS']) {
        const headers = { 'x-http-method-override': as, 'x-method-override': as }
        const forged = { ...fields, _method: as, _csrf: 'x' }
        const { status } = await inside.submit(`${path}?_method=${as}`, forged, { headers })
        assert.equal(status, 403, `${as} ${path}`)
      }

    assert.deepEqual(await ledgerOf(world.database), before)
    assert.equal(await inside.isSignedIn(), true)
  })
})
