import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Door, ofParts } from '../facts-of-parts.ts'
import { type Browser, PASSWORD, World } from '../support.ts'
import { codesOf, enroll, personOf, signUp } from './newcomer.ts'
import { ADD, SECURITY, signedIn, withSecretOf } from './security-steps.ts'
import { CONFIRM } from './step-up-steps.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'

/** What surrounds and parts a code that is copied from a mail, a chat or a page that is written from right to left. */
const INVISIBLE: readonly [string, string][] = [
  ['zero width spaces', '\u200B'],
  ['a direction', '\u200E'],
  ['isolates', '\u2066\u2067\u2068\u2069'],
  ['soft hyphens', '\u00AD'],
  ['word joiners', '\u2060'],
  ['a byte order mark', '\uFEFF'],
  ['variation selectors', '\uFE0F'],
]
const ZEROS: readonly [string, number][] = [
  ['Arabic digits', 0x660],
  ['Persian digits', 0x6f0],
  ['Devanagari digits', 0x966],
]

type Shape = (code: string) => string

const SHAPES: readonly [string, Shape][] = [
  ...INVISIBLE.map(([name, mark]): [string, Shape] => [
    name,
    (code) => `${mark}${code.slice(0, 3)}${mark}${code.slice(3)}${mark}`,
  ]),
  ...ZEROS.map(([name, zero]): [string, Shape] => [
    name,
    (code) => code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  ]),
]

/** Somebody with an app, whose password is proven for each code. */
async function atTheDoor(test: TestContext): Promise<(shape: Shape) => Promise<string | null>> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  return async (shape) => {
    world.clock.advance(30)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open(DOOR)
    return (await browser.submit(DOOR, { code: shape(await world.code(ada)) })).location
  }
}

async function withRecoveryCodes(test: TestContext): Promise<(shape: Shape) => Promise<string | null>> {
  const world = await World.create(test)
  const { person, codes } = await enroll(world, world.browser(), 'eve')
  let used = 0
  return async (shape) => {
    const browser = world.browser()
    await browser.password(person)
    await browser.open(RECOVERY)
    return (await browser.submit(RECOVERY, { code: shape(codes[used++] ?? '') })).location
  }
}

/** Somebody who is asked for a proof of a kind that a part brings. */
function atDoorOf({ page, prove }: Door): typeof atTheDoor {
  return async (test) => {
    const world = await World.create(test, ofParts('settings'))
    const ada = await world.person('ada', { factor: 'enabled' })
    return async (shape) => {
      world.clock.advance(3600)
      const browser = world.browser()
      await browser.password(ada)
      const fields = Object.entries(await prove(browser, world))
      const typed = Object.fromEntries(fields.map(([name, value]) => [name, shape(value)]))
      return (await browser.submit(page, typed)).location
    }
  }
}

async function atStepUp(test: TestContext): Promise<(shape: Shape) => Promise<string | null>> {
  const { world, person, browser } = await signedIn(test)
  return async (shape) => {
    world.clock.advance(300)
    await browser.open(CONFIRM)
    const fields = { password: PASSWORD, code: shape(await world.code(person)) }
    return (await browser.submit(CONFIRM, fields)).location
  }
}

async function atStepUpWithRecovery(test: TestContext): Promise<(shape: Shape) => Promise<string | null>> {
  const world = await World.create(test)
  const browser = world.browser()
  const { codes } = await enroll(world, browser, 'eve')
  await browser.submit('/enroll/done')
  let used = 0
  return async (shape) => {
    world.clock.advance(300)
    await browser.open(`${CONFIRM}?with=recovery`)
    const fields = { password: PASSWORD, recovery_code: shape(codes[used++] ?? '') }
    return (await browser.submit(CONFIRM, fields)).location
  }
}

describe('a right code, as it is pasted', () => {
  for (const [place, begin, target] of [
    ['of an app at the second door', atTheDoor, '/account'],
    ['of the recovery list at the second door', withRecoveryCodes, '/account'],
    ['of an app that confirms an action', atStepUp, SECURITY],
    ['of the recovery list that confirms an action', atStepUpWithRecovery, SECURITY],
    ...Object.entries(ofParts('doors'))
      .filter(([, { wrong }]) => 'code' in wrong)
      .map(([name, door]) => [`(${name}) at the second door`, atDoorOf(door), '/account'] as const),
  ] as const) {
    it(`${place} is read with invisible characters, and in the digits of any script [MEND-13]`, async (test) => {
      const enter = await begin(test)
      for (const [name, shape] of SHAPES) assert.equal(await enter(shape), target, name)
    })
  }

  it('of a new app is read alike, at sign-up and on the security page [MEND-13]', async (test) => {
    const world = await World.create(test)
    for (const [index, [name, shape]] of SHAPES.entries()) {
      const browser = world.browser()
      const person = await personOf(world, `eve-${index}`, await signUp(world, browser, `eve-${index}`))
      const page = await browser.submit('/enroll', { code: shape(await world.code(person)) })
      assert.equal(codesOf(page).length, 10, name)
      await addAnother(world, browser, { name, shape })
    }
  })
})

/** Ends the sign-up, and adds a second app, whose first code has the shape. */
async function addAnother(
  world: World,
  browser: Browser,
  { name, shape }: { readonly name: string; readonly shape: Shape },
): Promise<void> {
  await browser.submit('/enroll/done')
  const shown = await browser.open(ADD)
  const added = withSecretOf({ id: '', email: '', secret: undefined }, shown)
  const page = await browser.submit(ADD, { label: 'Tablet', code: shape(await world.code(added)) })
  assert.equal(page.status, 303, name)
}
