import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { RecoveryCodes } from '../../core/factors/recovery-codes.ts'
import { LoginCompletion } from '../../core/login/login-completion.ts'
import { PARTS } from '../../parts.ts'
import { type Door, ofParts } from '../facts-of-parts.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { enroll } from './steps.ts'
import { failuresOf } from '../failures.ts'

interface RightCode {
  readonly person: Person
  readonly browser: Browser
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

async function atDoor(world: World, person: Person, path: string): Promise<Browser> {
  const browser = world.browser()
  await browser.password(person)
  await browser.open(path)
  return browser
}

const KINDS: Readonly<Record<string, (world: World) => Promise<RightCode>>> = {
  async 'the authenticator'(world) {
    const person = await world.person('ada', { factor: 'enabled' })
    const path = '/login/2fa'
    return {
      person,
      path,
      browser: await atDoor(world, person, path),
      fields: { code: await world.code(person) },
    }
  },
  async 'the recovery codes'(world) {
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    const path = '/login/2fa/recovery'
    return { person, path, browser: await atDoor(world, person, path), fields: { code: codes[0] ?? '' } }
  },
  ...Object.fromEntries(
    Object.entries(ofParts('doors')).map(([name, { page, prove }]) => [
      name,
      async (world: World): Promise<RightCode> => {
        const person = await world.person('ada', { factor: 'enabled' })
        const browser = world.browser()
        await browser.password(person)
        return { person, path: page, browser, fields: await prove(browser, world) }
      },
    ]),
  ),
}

describe('one right code that is sent many times at once', () => {
  for (const [kind, prepare] of Object.entries(KINDS))
    it(`signs in once, and no wrong code is recorded or told: ${kind} [RA-2702 RA-0008]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const { person, browser, path, fields } = await prepare(world)
      const known = (await world.events(person)).length
      const tabs = Array.from({ length: 20 }, () => browser.twin())
      // Every other one is a program, which reads the code of its refusal.
      const options = (index: number) => (index % 2 === 0 ? {} : { headers: { accept: 'application/json' } })

      const pages = await Promise.all(tabs.map((tab, index) => tab.submit(path, fields, options(index))))

      const isIn = ({ location, html }: Page): boolean =>
        location === '/account' || html === '{"location":"/account"}'
      assert.equal(pages.filter(isIn).length, 1)
      const shown = await tabs[pages.findIndex(isIn)]?.open('/account')
      assert.equal(shown?.status, 200)
      assert.doesNotMatch(shown.html, /role="status"><p>(?!You signed in with a recovery code)/)
      const events = (await world.events(person)).slice(known)
      assert.equal(events.filter((each) => each === 'logged-in').length, 1)
      assert.deepEqual(
        events.filter((each) => each.endsWith('-refused') || each === 'challenge-spent'),
        [],
      )
      for (const { html } of pages) assert.doesNotMatch(html, /challenge_spent|Too many/)
      assert.deepEqual(world.faults, [])
    })
})

/** What checks the codes of a kind: an object and the name of its method. */
type Check = Door['check']

/** Sends a form twice: the second one has passed everything but the check of its code when the first one is accepted. */
async function sendBehind(
  test: TestContext,
  [checking, method]: Check,
  { browser, path, fields }: RightCode,
): Promise<readonly [Page, Page]> {
  // Each of them has the method, with other parameters.
  const checked = checking as Record<string, (this: unknown, ...given: unknown[]) => unknown>
  const check = checked[method]
  assert.ok(check !== undefined)
  let first: Promise<unknown> = Promise.resolve()
  let times = 0
  const [begun, met] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const mock = test.mock.method(checked, method, async function (this: unknown, ...given: unknown[]) {
    times += 1
    if (times === 1) begun.resolve()
    else met.resolve()
    await (times === 1 ? met.promise : first)
    return check.apply(this, given)
  })
  const copy = browser.twin()
  const sent = browser.submit(path, fields)
  first = sent
  // Whichever came first would otherwise be the first.
  await begun.promise
  const second = await copy.submit(path, fields)
  mock.mock.restore()
  assert.equal(times, 2)
  return [await sent, second]
}

const OF_PARTS = PARTS.flatMap(({ factorKinds = [] }) => factorKinds)
const COUNTED: ReadonlySet<string> = new Set([
  'factor',
  'authenticator',
  'recovery',
  ...OF_PARTS.flatMap(({ limit }) => limit?.('', '').subject.split(':')[0] ?? []),
])

/** What counts as a failure of the account or its factors. */
async function failures(world: World): Promise<readonly string[]> {
  const failed = await failuresOf(world.database)
  return failed.map((subject) => subject.split(':')[0] ?? '').filter((each) => COUNTED.has(each))
}

const RECOVERY: Check = [RecoveryCodes.prototype, 'verifyAndConsume']
const CHECKED: Readonly<Record<string, Check>> = {
  'the authenticator': [LoginCompletion.prototype, 'prepare'],
  'the recovery codes': RECOVERY,
  ...Object.fromEntries(Object.entries(ofParts('doors')).map(([name, { check }]) => [name, check])),
}

describe('the copy of a form with a right code, which is checked when the other one was accepted', () => {
  for (const [kind, check] of Object.entries(CHECKED))
    it(`is not counted as a failure at the second door: ${kind} [RA-2801 FACTOR-17]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const code = await KINDS[kind]?.(world)
      assert.ok(code)

      const [first, second] = await sendBehind(test, check, code)

      assert.equal(first.location, '/account')
      assert.equal(second.location, '/login')
      assert.deepEqual(await failures(world), [])
      assert.deepEqual(world.faults, [])
    })
})
