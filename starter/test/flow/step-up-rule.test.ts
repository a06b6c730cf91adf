import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { StepUpRule } from '../../core/step-up/step-up.ts'
import { PASSWORD, World } from '../support.ts'
import { atDoor, confirm, CONFIRM, enroll, RECOVERY } from './steps.ts'
import { figuresBehind } from './reports.ts'

const PATH = '/figures'
const ASKED = `${CONFIRM}?return_url=%2Ffigures`
const PROGRAM = { headers: { accept: 'application/json' } }
const ACTION = 'step-up.action.recovery-codes'

function worldBehind(test: TestContext, rule: Partial<StepUpRule>): Promise<World> {
  return World.create(test, { modules: [figuresBehind({ action: ACTION, ...rule })] })
}

describe('a step-up with a rule of its own', () => {
  it('counts a proof for its own time, and other pages for theirs [RA-1401 FACTOR-30]', async (test) => {
    const world = await worldBehind(test, { maxAge: 60 })
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = await world.inside(ada)

    world.clock.advance(59)
    assert.equal((await browser.open(PATH)).status, 200)
    world.clock.advance(1)
    const asked = await browser.open(PATH)
    const resumed = await confirm(world, browser, { person: ada, path: PATH })

    assert.deepEqual([asked.location, resumed.status], [ASKED, 200])
    world.clock.advance(60)
    assert.equal((await browser.open('/account/recovery-codes')).status, 200)
    assert.equal((await browser.open(PATH)).location, ASKED)
  })

  it('takes no proof of another kind, and offers none [RA-1401 FACTOR-29]', async (test) => {
    const world = await worldBehind(test, { kinds: ['totp'] })
    const { person, codes } = await enroll(world, world.browser(), 'eve')
    const [first = '', second = ''] = codes
    const browser = await atDoor(world, person, RECOVERY)
    await browser.submit(RECOVERY, { code: first })
    assert.equal((await browser.open('/account/recovery-codes')).status, 200)

    const { html } = await browser.open(ASKED)
    const refused = await browser.submit(CONFIRM, { return_url: PATH, recovery_code: second })

    assert.match(html, /name="code"/)
    assert.doesNotMatch(html, /with=recovery/)
    assert.equal(refused.status, 422)
    assert.equal(await world.identity.codes.left(person.id), 9)
    world.clock.advance(30)
    const page = await browser.submit(CONFIRM, { return_url: PATH, code: await world.code(person) })
    assert.equal(page.location, PATH)
  })

  it('leads an account that holds none of its kinds to where one is set up [RA-1401]', async (test) => {
    const world = await worldBehind(test, { kinds: ['totp'] })
    const browser = await world.inside(await world.person('ada'))

    const asked = await browser.open(PATH)
    const { html } = await browser.open(ASKED)
    const sent = await browser.submit(CONFIRM, { return_url: PATH, password: PASSWORD })
    const refused = await browser.open(PATH, PROGRAM)

    assert.equal(asked.location, ASKED)
    for (const page of [html, sent.html]) {
      assert.match(page, /Set one up first: <a href="\/account\/security">/)
      assert.doesNotMatch(page, /name="password"/)
    }
    assert.deepEqual([sent.status, refused.status], [422, 403])
    assert.match(refused.html, /"ERR_APP_STEP_UP_FACTOR_REQUIRED"/)
  })

  it('is refused at boot with a kind that accounts do not hold [RA-1401]', async (test) => {
    // As a program without types would write it.
    const kinds = ['recovery' as 'totp']

    await assert.rejects(worldBehind(test, { kinds }), {
      name: 'TypeError',
      message: /use kinds that accounts hold: totp/,
    })
  })
})
