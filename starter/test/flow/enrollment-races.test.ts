import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AuditEvent } from '../../core/audit/audit-trail.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { codesOf, personOf, signUp } from './steps.ts'

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

/** Sends two requests of one session at the same time. */
async function race(browser: Browser, sent: readonly [Sent, Sent]): Promise<readonly [Page, Page]> {
  const { html } = await browser.open('/enroll')
  const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = ({ path, fields }: Sent): Promise<Page> =>
    fields === undefined ? browser.open(path) : browser.submit(path, { ...fields, _csrf: token })
  return Promise.all([send(sent[0]), send(sent[1])])
}

/** The set-up goes on: it offers new codes, these count, and it ends with a sign-in. */
async function goOn({ world, browser }: Scene): Promise<void> {
  const page = await browser.open('/enroll')
  assert.equal(page.status, 200, page.location ?? '')
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
  for (const [name, pick] of [
    ['twice', (code: Sent) => [code, code]],
    ['and a reload', (code: Sent) => [code, PAGE]],
  ] as const)
    it(`the first code ${name} is accepted once, and the set-up goes on [RA-1104 RA-3001]`, async (test) => {
      const scene = await setUp(test)
      const [first, second] = pick({ path: '/enroll', fields: { code: await scene.world.code(scene.eve) } })

      const pages = await race(scene.browser, [first ?? PAGE, second ?? PAGE])

      assert.equal(pages.filter((page) => codesOf(page).length === 10).length, 1)
      await goOn(scene)
    })

  for (const [name, sent] of [
    ['new codes', [CODES, CODES]],
    ['new codes and a reload', [CODES, PAGE]],
  ] as const)
    it(`${name}, at the same time, end nothing [RA-1104]`, async (test) => {
      const scene = await proven(test)

      const pages = await race(scene.browser, sent)

      assert.equal(codesOf(pages[0]).length, 10)
      await goOn(scene)
    })

  for (const [name, sent] of [
    ['twice', [DONE, DONE]],
    ['and new codes', [DONE, CODES]],
  ] as const)
    it(`the end ${name} signs in once [RA-1104 RA-0405 RA-2502 RA-2702]`, async (test) => {
      const { browser, world, eve } = await proven(test)

      const pages = await race(browser, sent)

      assert.ok(pages.some(({ location }) => location === '/account'))
      assert.equal(await browser.isSignedIn(), true)
      assert.equal((await world.events(eve)).filter((kind) => kind === AuditEvent.LoggedIn).length, 1)
    })
})
