import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SoftwareAuthenticator } from 'sallyport-app/testing/authenticators'
import { PASSWORD, World } from '../../../test/support.ts'
import { ENROLL, keyOwner, withPasskey } from './steps.ts'
import { STEP_UP } from './ceremonies.ts'
import { demanding } from '../../../test/demanding.ts'
import { figuresBehind } from '../../../test/flow/reports.ts'
import { CONFIRM, signedIn } from '../../../test/flow/steps.ts'

const PATH = '/account/password'
const ASKED = `${CONFIRM}?return_url=%2Faccount%2Fpassword`
const BY_PASSKEY = `/account/passkeys/confirm`

const APP_ONLY = { action: 'step-up.action.password', kinds: ['totp'] } as const

describe('a step-up with a passkey', () => {
  it('takes the passkey and the password, in two forms, and each alone is not enough [RA-1401 FACTOR-28 MEND-07]', async (test) => {
    const owner = await keyOwner(test)
    const { world, ada, key } = owner
    const browser = await STEP_UP.reach(owner)
    const page = await browser.open(ASKED)
    assert.equal(page.html.includes('name="code"'), false)
    const wrong = await browser.submit(BY_PASSKEY, { return_url: PATH, response: '{}' })
    const told = await browser.open(ASKED)
    assert.match(told.html, /The passkey was not accepted/)
    const before = browser.sessionId

    const half = await browser.submit(BY_PASSKEY, { return_url: PATH, response: key.respond(told.html) })
    for (const { location } of [wrong, half]) assert.equal(location, ASKED)
    assert.notEqual(browser.sessionId, before)
    assert.equal((await browser.open(PATH)).location, ASKED)
    assert.doesNotMatch((await browser.open(ASKED)).html, /data-passkey=/)
    const done = await browser.submit(CONFIRM, { return_url: PATH, password: PASSWORD })

    assert.deepEqual([done.status, done.location], [303, PATH])
    assert.equal((await browser.open(PATH)).status, 200)
    const events = ['passkey-refused', 'passkey-used', 'step-up-confirmed', 'step-up-confirmed']
    assert.deepEqual((await world.events(ada)).slice(-4), events)
  })

  it('is not offered where only an app counts, and does not count there [RA-1401 FACTOR-29]', async (test) => {
    const world = await World.create(test, { modules: [figuresBehind(APP_ONLY)] })
    const ada = await world.person('ada', { factor: 'enabled' })
    const key = await withPasskey(world, ada)
    world.clock.advance(30)
    const browser = await world.inside(ada)
    world.clock.advance(300)

    const { html } = await browser.open(`${CONFIRM}?return_url=%2Ffigures`)
    const { html: any } = await browser.open(ASKED)
    await browser.submit(BY_PASSKEY, { return_url: '/figures', response: key.respond(any) })
    await browser.submit(CONFIRM, { return_url: '/figures', password: PASSWORD })
    const before = await browser.open('/figures')
    const sent = { return_url: '/figures', password: PASSWORD, code: await world.code(ada) }
    const page = await browser.submit(CONFIRM, sent)

    assert.doesNotMatch(html, /data-passkey=/)
    assert.match(html, /name="code"/)
    assert.deepEqual([before.status, page.status, page.location], [303, 303, '/figures'])
  })

  it('counts where a demand leaves none of the kinds of a rule: there is a way on [RA-1401 RA-2203]', async (test) => {
    const { parts } = demanding({ kinds: ['passkey'] })
    const settings = { parts, modules: [figuresBehind(APP_ONLY)] }
    const { browser } = await signedIn(test, { factor: 'enabled' }, settings)
    const response = new SoftwareAuthenticator().register((await browser.open(ENROLL)).html)
    await browser.submit(ENROLL, { label: 'Key', response })
    await browser.submit('/enroll/done')

    const { html } = await browser.open('/figures', { follow: true })
    assert.match(html, /data-passkey=/)
    assert.doesNotMatch(html, /does not have yet/)
  })
})
