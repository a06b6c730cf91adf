import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AuditEvent } from '../../core/audit/audit-trail.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { codesOf, personOf, signUp } from './newcomer.ts'

const DELAYS = [0, 2, 16]
const UNTRUE = /timed out|has expired|is over|start again/i

interface Scene {
  readonly world: World
  readonly eve: Person
  readonly browser: Browser
}

/** What is sent: a page when it has no fields. */
interface Sent {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

async function setUp(test: TestContext): Promise<Scene> {
  const world = await World.create(test)
  const browser = world.browser()
  const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))
  return { world, eve, browser }
}

async function proven(test: TestContext): Promise<Scene> {
  const scene = await setUp(test)
  const { world, eve, browser } = scene
  assert.equal(codesOf(await browser.submit('/enroll', { code: await world.code(eve) })).length, 10)
  return scene
}

const PAGE: Sent = { path: '/enroll' }
const CODES: Sent = { path: '/enroll/codes', fields: {} }
const DONE: Sent = { path: '/enroll/done', fields: {} }
const firstCode = async ({ world, eve }: Scene): Promise<Sent> => ({
  path: '/enroll',
  fields: { code: await world.code(eve) },
})

/** Sends two requests of one session, one shortly after the other. */
async function race(
  browser: Browser,
  sent: readonly [Sent, Sent],
  delay: number,
): Promise<readonly [Page, Page]> {
  const { html } = await browser.open('/enroll')
  const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = ({ path, fields }: Sent): Promise<Page> =>
    fields === undefined ? browser.open(path) : browser.submit(path, { ...fields, _csrf: token })
  const first = send(sent[0])
  await pause(delay)
  return Promise.all([first, send(sent[1])])
}

function assertTrue(pages: readonly Page[]): void {
  for (const { html, status } of pages) {
    assert.notEqual(status, 500)
    assert.doesNotMatch(html, UNTRUE)
  }
}

/** The set-up goes on: it offers new codes, these count, and it ends with a sign-in. */
async function goOn({ world, browser }: Scene): Promise<void> {
  const page = await browser.open('/enroll')
  assert.equal(page.status, 200, page.location ?? '')
  assert.doesNotMatch(page.html, UNTRUE)
  assert.match(page.html, /action="\/enroll\/codes"/)
  const codes = codesOf(await browser.submit('/enroll/codes'))
  assert.equal(codes.length, 10)
  assert.equal((await browser.submit('/enroll/done')).location, '/account')
  await assertSignsIn(world, browser, codes)
}

async function assertSignsIn(world: World, browser: Browser, codes: readonly string[]): Promise<void> {
  assert.equal(await browser.isSignedIn(), true)
  const other = world.browser()
  await other.password({ email: 'eve@example.test' })
  await other.open('/login/2fa/recovery')
  const page = await other.submit('/login/2fa/recovery', { code: codes[0] ?? '' })
  assert.equal(page.location, '/account')
}

describe('two requests of one set-up of a second step', () => {
  for (const delay of DELAYS) {
    it(`the first code twice, ${delay} ms apart, counts once, and the set-up goes on [RA-1104]`, async (test) => {
      const scene = await setUp(test)
      const code = await firstCode(scene)

      const pages = await race(scene.browser, [code, code], delay)

      assertTrue(pages)
      assert.equal(pages.filter((page) => codesOf(page).length === 10).length, 1)
      await goOn(scene)
    })

    for (const [name, pick] of [
      ['and a reload', (code: Sent) => [code, PAGE]],
      ['after a reload', (code: Sent) => [PAGE, code]],
    ] as const)
      it(`the first code ${name}, ${delay} ms apart, is accepted, and the set-up goes on [RA-1104]`, async (test) => {
        const scene = await setUp(test)
        const [first, second] = pick(await firstCode(scene))

        const pages = await race(scene.browser, [first ?? PAGE, second ?? PAGE], delay)

        assertTrue(pages)
        assert.equal(pages.filter((page) => codesOf(page).length === 10).length, 1)
        await goOn(scene)
      })

    it(`new codes twice, ${delay} ms apart, are shown twice, and the last ones count [RA-1104 RA-3001]`, async (test) => {
      const scene = await proven(test)

      const pages = await race(scene.browser, [CODES, CODES], delay)

      assertTrue(pages)
      assert.deepEqual(
        pages.map((page) => codesOf(page).length),
        [10, 10],
      )
      await goOn(scene)
    })

    it(`a reload and new codes, ${delay} ms apart, end nothing [RA-1104]`, async (test) => {
      const scene = await proven(test)

      const pages = await race(scene.browser, [CODES, PAGE], delay)

      assertTrue(pages)
      assert.equal(codesOf(pages[0]).length, 10)
      await goOn(scene)
    })

    for (const [name, sent] of [
      ['new codes and the end', [CODES, DONE]],
      ['the end and new codes', [DONE, CODES]],
    ] as const)
      it(`${name}, ${delay} ms apart, sign in [RA-1104 RA-3001]`, async (test) => {
        const { browser } = await proven(test)

        const pages = await race(browser, sent, delay)

        assertTrue(pages)
        assert.equal(pages[sent.indexOf(DONE)]?.location, '/account')
        assert.equal(await browser.isSignedIn(), true)
      })

    for (const [name, sent] of [
      ['the end twice', [DONE, DONE]],
      ['the end and a reload', [DONE, PAGE]],
      ['a reload and the end', [PAGE, DONE]],
    ] as const)
      it(`${name}, ${delay} ms apart, sign in once [RA-1104]`, async (test) => {
        const { browser, world, eve } = await proven(test)

        const pages = await race(browser, sent, delay)

        assertTrue(pages)
        assert.ok(pages.some(({ location }) => location === '/account'))
        assert.equal(await browser.isSignedIn(), true)
        assert.doesNotMatch((await browser.open('/account')).html, UNTRUE)
        const events = await world.database
          .selectFrom('event')
          .select('kind')
          .where('account_id', '=', eve.id)
          .where('kind', '=', AuditEvent.LoggedIn)
          .execute()
        assert.equal(events.length, 1)
      })
  }
})
