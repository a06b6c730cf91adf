import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import {
  ADD,
  atDoor,
  codesOf,
  CONFIRM,
  DOOR,
  personOf,
  RECOVERY,
  SECURITY,
  signUp,
  withSecretOf,
} from './steps.ts'

// As it is copied from a mail, a chat or a page that is written from right to left, in the digits of another script. The unit tests
// of `typedCode` have all of that.
function pasted(code: string): string {
  const shape = `\u2066 ${code.slice(0, 3)}\u2011\u00a0${code.slice(3)}\n\uFEFF`
  return shape.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
}

describe('a right code, as it is pasted', () => {
  it('is read wherever one is asked for: at sign-up, at the doors, in a step-up and on the security page [MEND-13 RA-0401 RA-2806]', async (test) => {
    const world = await World.create(test)
    const inside = world.browser()
    const eve = await personOf(world, 'eve', await signUp(world, inside, 'eve'))
    const codes = codesOf(await inside.submit('/enroll', { code: pasted(await world.code(eve)) }))
    assert.equal(codes.length, 10)
    await inside.submit('/enroll/done')
    const added = withSecretOf(eve, await inside.open(ADD))
    const adding = await inside.submit(ADD, { label: 'Tablet', code: pasted(await world.code(added)) })
    assert.equal(adding.location, SECURITY)
    world.clock.advance(30)

    const door = await atDoor(world, eve)
    const byApp = await door.submit(DOOR, { code: pasted(await world.code(added)) })
    const recovery = await atDoor(world, eve, RECOVERY)
    const byList = await recovery.submit(RECOVERY, { code: pasted(codes[0] ?? '').toLowerCase() })
    world.clock.advance(300)
    await inside.open(CONFIRM)
    const confirmed = await inside.submit(CONFIRM, {
      password: PASSWORD,
      code: pasted(await world.code(added)),
    })

    assert.deepEqual(
      [byApp.location, byList.location, confirmed.location],
      ['/account', '/account', SECURITY],
    )
  })

  for (const [name, { page, prove, wrong }] of Object.entries(ofParts('doors')))
    if ('code' in wrong)
      it(`(${name}) is read at the second door [MEND-13]`, async (test) => {
        const world = await World.create(test, ofParts('settings'))
        const browser = world.browser()
        await browser.password(await world.person('ada', { factor: 'enabled' }))
        const { code = '' } = await prove(browser, world)

        assert.equal((await browser.submit(page, { code: pasted(code) })).location, '/account')
      })

  it('is never refused by the page itself [RA-0401]', async (test) => {
    const world = await World.create(test)
    const browser = await atDoor(world, await world.person('ada', { factor: 'enabled' }))

    const { html } = await browser.open(DOOR)

    assert.doesNotMatch(/<input[^>]*name="code"[^>]*>/.exec(html)?.[0] ?? 'pattern', /pattern/)
  })
})
