import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Door, ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import { codesOf, enroll, personOf, signUp, ADD, SECURITY, signedIn, withSecretOf, CONFIRM } from './steps.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'

type Shape = (code: string) => string
type Enter = (shape: Shape) => Promise<string | null>

// What surrounds and parts a code that is copied from a mail, a chat or a page that is written from right to left, and the
// digits of another script. The unit tests of `typedCode` have all of them.
const SHAPES: Readonly<Record<string, Shape>> = {
  'spaces, marks and hyphens': (code) => `\u2066 ${code.slice(0, 3)}\u2011\u00a0${code.slice(3)}\n\uFEFF`,
  'Arabic digits': (code) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
}

/** Somebody with an app, whose password is proven for each code. */
async function atTheDoor(test: TestContext): Promise<Enter> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  return async (shape) => {
    world.clock.advance(30)
    const browser = world.browser()
    await browser.password(ada)
    return (await browser.code(shape(await world.code(ada)))).location
  }
}

async function withRecoveryCodes(test: TestContext): Promise<Enter> {
  const world = await World.create(test)
  const { person } = await enroll(world, world.browser(), 'eve')
  return async (shape) => {
    world.clock.advance(60 * 60)
    const renewed = await world.identity.codes.prepare(person.id, { clientAddress: '' })
    await world.database.deleteFrom('recovery_code').execute()
    const rows = renewed.rows.map((row) => ({ ...row, account_id: person.id, used_at: null }))
    await world.database.insertInto('recovery_code').values(rows).execute()
    const browser = world.browser()
    await browser.password(person)
    await browser.open(RECOVERY)
    return (await browser.submit(RECOVERY, { code: shape(renewed.codes[0] ?? '') })).location
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

async function atStepUp(test: TestContext): Promise<Enter> {
  const { world, person, browser } = await signedIn(test)
  return async (shape) => {
    world.clock.advance(300)
    await browser.open(CONFIRM)
    const fields = { password: PASSWORD, code: shape(await world.code(person)) }
    return (await browser.submit(CONFIRM, fields)).location
  }
}

describe('a right code, as it is pasted', () => {
  for (const [place, begin, target] of [
    ['of an app at the second door', atTheDoor, '/account'],
    ['of the recovery list', withRecoveryCodes, '/account'],
    ['of an app that confirms an action', atStepUp, SECURITY],
    ...Object.entries(ofParts('doors'))
      .filter(([, { wrong }]) => 'code' in wrong)
      .map(([name, door]) => [`(${name}) at the second door`, atDoorOf(door), '/account'] as const),
  ] as const)
    it(`${place} is read with what parts it, and in the digits of any script [MEND-13 RA-0401 RA-2806]`, async (test) => {
      const enter = await begin(test)
      for (const [name, shape] of Object.entries(SHAPES)) assert.equal(await enter(shape), target, name)
    })

  it('of a new app is read alike, at sign-up and on the security page [MEND-13 RA-2806]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const shape: Shape = (code) => `\u00a0${SHAPES['Arabic digits']?.(code)}\u200b`
    const eve = await personOf(world, 'eve', await signUp(world, browser, 'eve'))
    const shown = await browser.submit('/enroll', { code: shape(await world.code(eve)) })
    assert.equal(codesOf(shown).length, 10)
    await browser.submit('/enroll/done')
    const added = withSecretOf(eve, await browser.open(ADD))

    const page = await browser.submit(ADD, { label: 'Tablet', code: shape(await world.code(added)) })

    assert.deepEqual([page.status, page.location], [303, SECURITY])
  })

  it('is never refused by the page itself [RA-0401]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.password(await world.person('ada', { factor: 'enabled' }))

    const { html } = await browser.open(DOOR)

    assert.doesNotMatch(/<input[^>]*name="code"[^>]*>/.exec(html)?.[0] ?? 'pattern', /pattern/)
  })
})
