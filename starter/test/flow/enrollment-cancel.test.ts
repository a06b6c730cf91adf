import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { FactorRule } from '../../identity/policy/factor-rules.ts'
import { RECOVERY_WAIT_SECONDS } from '../../identity/recovery/factor-recovery.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Page, type Person, START, World, type WorldOptions } from '../support.ts'
import { codesOf, newestLink, personOf, signUp } from './newcomer.ts'

const DELAYS = [0, 0, 1, 2, 4, 8, 16, 32, 64]
const FEW = [0, 2, 8, 32]
const CANCELLED = /Cancelled\. Your account/
const IS_SET_UP = /could not be cancelled: your second step was already set up/
const CANCELLED_ELSEWHERE = /The setup was cancelled/
const OUT_OF_DATE = /the set-up of a second step began or ended/
const UNTRUE = /took too long|has expired|start again|code is wrong/i

/** A form of an enrollment. */
interface Sent {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** Somebody in front of the page that asks for the first proof of a new factor. */
interface Scene {
  readonly world: World
  readonly eve: Person
  readonly browser: Browser
  /** Where the application listens. */
  readonly url: string
  /** The form with the right proof, as the page was shown. */
  readonly proof: Sent
  /** Token of the page. */
  readonly token: string
}

/** What one of two tabs shows in the end. */
interface Shown {
  readonly response: Pick<Page, 'status' | 'html' | 'location'>
  /** The page that it was led to; otherwise the response. */
  readonly html: string
}

const CANCEL: Sent = { path: '/enroll/cancel', fields: {} }
const CODES: Sent = { path: '/enroll/codes', fields: {} }
const DONE: Sent = { path: '/enroll/done', fields: {} }
const GRACE = 24 * 60 * 60
const RULE: FactorRule = {
  holders: 'admin.access',
  from: Date.parse(START) / 1000,
  graceSeconds: GRACE,
  kinds: ['passkey'],
}

async function open(test: TestContext, options: WorldOptions = {}): Promise<Pick<Scene, 'world' | 'url'>> {
  const world = await World.create(test, options)
  return { world, url: await world.listen(test) }
}

async function withCode({ world, url }: Pick<Scene, 'world' | 'url'>, browser: Browser): Promise<Scene> {
  const page = await browser.open('/enroll')
  const eve = await personOf(world, 'eve', page)
  const proof = { path: '/enroll', fields: { code: await world.code(eve) } }
  return { world, url, eve, browser, proof, token: tokenOf(page) }
}

/** At the end of signing up. */
async function newcomer(test: TestContext): Promise<Scene> {
  const opened = await open(test)
  const browser = opened.world.browser()
  await signUp(opened.world, browser, 'eve')
  return withCode(opened, browser)
}

/** After the waiting time of a lost factor, which counts until the new one is proven. */
async function loser(test: TestContext): Promise<Scene> {
  const opened = await open(test)
  const { world } = opened
  const eve = await world.person('eve', { factor: 'enabled' })
  const browser = world.browser()
  await browser.password(eve)
  await browser.open('/lost')
  await browser.submit('/lost')
  const confirming = world.browser()
  const link = newestLink(world)
  await confirming.open(link)
  await confirming.submit(link)
  world.clock.advance(RECOVERY_WAIT_SECONDS)
  await browser.password(eve)
  await browser.open('/lost')
  assert.equal((await browser.submit('/lost/continue')).location, '/enroll')
  const next = newestLink(world)
  await browser.open(next)
  assert.equal((await browser.submit(next)).location, '/enroll')
  return withCode(opened, browser)
}

/** An administrator with an app, who must add a passkey. */
async function administrator(test: TestContext): Promise<Scene> {
  const opened = await open(test, { factorRules: [RULE] })
  const { world } = opened
  const eve = await world.person('eve', { permissions: ['admin.access'], factor: 'enabled' })
  await world.browser().signIn(eve)
  world.clock.advance(GRACE)
  const browser = world.browser()
  assert.equal((await browser.signIn(eve)).location, '/enroll')
  const page = await browser.open('/enroll/passkey')
  const response = new SoftwareAuthenticator().register(page.html)
  const proof = { path: '/enroll/passkey', fields: { label: 'Key', response } }
  return { ...opened, eve, browser, proof, token: tokenOf(page) }
}

function tokenOf({ html }: Pick<Page, 'html'>): string {
  return /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

/** Sends a form over the network, as a tab does, and opens the page that it leads to. */
async function send(scene: Scene, { path, fields }: Sent): Promise<Shown> {
  const { browser, url, token } = scene
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `sid=${browser.sessionId ?? ''}` },
    body: new URLSearchParams({ ...fields, _csrf: token }),
  })
  const html = await response.text()
  const location = response.headers.get('location')
  for (const line of response.headers.getSetCookie())
    if (line.startsWith('sid=')) browser.client.setCookie(`__Host-${line}; Secure`)
  const shown = location === null ? html : (await browser.open(location, { follow: true })).html
  return { response: { status: response.status, html, location }, html: shown }
}

/** Sends two forms of one session, one shortly after the other. */
async function race(
  scene: Scene,
  [one, other]: readonly [Sent, Sent],
  delay: number,
): Promise<readonly [Shown, Shown]> {
  const first = send(scene, one)
  await pause(delay)
  return Promise.all([first, send(scene, other)])
}

/** Identifiers of the factors that count. */
async function factorsOf({ world, eve }: Scene): Promise<readonly string[]> {
  const factors = await world.identity.factors.list(eve.id)
  const passkeys = await world.identity.passkeys.list(eve.id)
  return [...factors, ...passkeys].map(({ id }) => id)
}

/** The words of both tabs are true of what the account has. */
function assertTrue(isProven: boolean, proof: Shown, cancelled: Shown): void {
  for (const { response, html } of [proof, cancelled]) {
    assert.ok([200, 303, 403, 409].includes(response.status), String(response.status))
    assert.doesNotMatch(html, UNTRUE)
  }
  if (isProven) {
    assert.equal(codesOf(proof.response).length, 10)
    assert.doesNotMatch(cancelled.html, CANCELLED)
    assert.match(cancelled.html, IS_SET_UP)
    return
  }
  assert.equal(codesOf(proof.response).length, 0)
  assert.match(cancelled.html, CANCELLED)
  assert.match(proof.html, proof.response.status === 403 ? OUT_OF_DATE : CANCELLED_ELSEWHERE)
}

const ENROLLMENTS: Readonly<
  Record<
    string,
    { readonly begin: (test: TestContext) => Promise<Scene>; readonly delays: readonly number[] }
  >
> = {
  'at the end of signing up': { begin: newcomer, delays: DELAYS },
  'in place of a lost factor': { begin: loser, delays: FEW },
  'of a kind that a rule asks for': { begin: administrator, delays: FEW },
}

for (const [name, { begin, delays }] of Object.entries(ENROLLMENTS))
  describe(`the set-up of a second step, ${name}, that is cancelled in another tab`, () => {
    for (const delay of delays)
      for (const isFirst of [true, false])
        it(`${delay} ms ${isFirst ? 'after' : 'before'} the first proof: one of both wins, and both pages say so [RA-1104 RA-2801]`, async (test) => {
          const scene = await begin(test)
          const { world, browser } = scene
          const before = await factorsOf(scene)

          const pages = await race(scene, isFirst ? [scene.proof, CANCEL] : [CANCEL, scene.proof], delay)

          const after = await factorsOf(scene)
          const isProven = after.some((id) => !before.includes(id))
          const [proof, cancelled] = isFirst ? pages : [pages[1], pages[0]]
          assertTrue(isProven, proof, cancelled)
          if (!isProven) assert.deepEqual(after, before)
          const next = await browser.open('/enroll')
          assert.equal(next.location, isProven ? null : '/login')
          if (isProven) assert.equal((await browser.submit('/enroll/done')).location, '/account')
          assert.equal(await browser.isSignedIn(), isProven)
          assert.deepEqual(world.faults, [])
        })
  })

describe('a set-up of a second step that is proven, and cancelled in a tab that still shows the secret', () => {
  for (const delay of DELAYS)
    for (const isFirst of [true, false]) {
      const when = `${delay} ms ${isFirst ? 'after' : 'before'}`
      const pair = (sent: Sent): readonly [Sent, Sent] => (isFirst ? [sent, CANCEL] : [CANCEL, sent])

      it(`${when} new codes: they are shown, and it is not cancelled [RA-1104 RA-2801]`, async (test) => {
        const scene = await newcomer(test)
        await send(scene, scene.proof)

        const pages = await race(scene, pair(CODES), delay)

        const [codes, cancelled] = isFirst ? pages : [pages[1], pages[0]]
        assertTrue(true, codes, cancelled)
        assert.equal((await scene.browser.submit('/enroll/done')).location, '/account')
        assert.deepEqual(scene.world.faults, [])
      })

      it(`${when} the end: it signs in, and is not cancelled [RA-1104 RA-2801]`, async (test) => {
        const scene = await newcomer(test)
        await send(scene, scene.proof)

        const pages = await race(scene, pair(DONE), delay)

        const [done, cancelled] = isFirst ? pages : [pages[1], pages[0]]
        assert.equal(done.response.location, '/account')
        assert.doesNotMatch(cancelled.html, CANCELLED)
        assert.doesNotMatch(cancelled.html, UNTRUE)
        assert.equal(await scene.browser.isSignedIn(), true)
        assert.deepEqual(scene.world.faults, [])
      })
    }
})

describe('a cancelled set-up of a second step', () => {
  for (const delay of DELAYS)
    it(`twice, ${delay} ms apart: nothing untrue is said [RA-1104 RA-2801]`, async (test) => {
      const scene = await newcomer(test)

      const pages = await race(scene, [CANCEL, CANCEL], delay)

      assert.ok(pages.some(({ html }) => CANCELLED.test(html)))
      for (const { html } of pages) assert.doesNotMatch(html, UNTRUE)
      assert.deepEqual(await factorsOf(scene), [])
      assert.deepEqual(scene.world.faults, [])
    })

  it('is over for every form, even if its session could not be written [RA-0007 RA-1104]', async (test) => {
    const accept = { browser: 'text/html', program: 'application/json' }
    const said = { browser: CANCELLED_ELSEWHERE, program: /ERR_STARTER_ENROLLMENT_CANCELLED/ }
    for (const who of ['program', 'browser'] as const) {
      const { world, browser, proof } = await newcomer(test)
      await world.database.updateTable('challenge').set({ ended_at: world.clock.timestamp() }).execute()

      const page = await browser.submit(proof.path, proof.fields, { headers: { accept: accept[who] } })

      assert.deepEqual([page.status, said[who].test(page.html)], [409, true], page.html)
      assert.equal((await browser.open('/enroll')).location, '/login')
      assert.equal((await browser.password({ email: 'eve@example.test' })).location, '/account')
    }
  })

  it('a program is told that the second step is set up [RA-0007]', async (test) => {
    const { browser, proof } = await newcomer(test)
    await browser.submit(proof.path, proof.fields)

    const refused = await browser.submit('/enroll/cancel', {}, { headers: { accept: 'application/json' } })

    assert.deepEqual([refused.status, /ERR_STARTER_ENROLLMENT_PROVEN/.test(refused.html)], [409, true])
    assert.equal((await browser.submit('/enroll/done')).location, '/account')
  })
})
