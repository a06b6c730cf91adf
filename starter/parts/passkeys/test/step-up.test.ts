import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, type Page, PASSWORD } from '../../../test/support.ts'
import { type KeyOwner, keyOwner } from './steps.ts'
import { STEP_UP } from './ceremonies.ts'
import { CONFIRM } from '../../../test/flow/steps.ts'

const PATH = '/account/password'
const ASKED = `${CONFIRM}?return_url=%2Faccount%2Fpassword`
const BY_PASSKEY = `/account/passkeys/confirm`

/** Someone whose only factor is a passkey, and who is asked for everything again. */
async function asked(
  test: TestContext,
): Promise<KeyOwner & { readonly browser: Browser; readonly page: Page }> {
  const owner = await keyOwner(test)
  const browser = await STEP_UP.reach(owner)
  return { ...owner, browser, page: await browser.open(ASKED) }
}

describe('a step-up with a passkey', () => {
  it('takes the passkey and the password, in two forms, and each alone is not enough [RA-1401 FACTOR-28]', async (test) => {
    const { world, ada, key, browser, page } = await asked(test)
    assert.equal(page.html.includes('name="code"'), false)
    const before = browser.sessionId

    const half = await browser.submit(BY_PASSKEY, { return_url: PATH, response: key.respond(page.html) })
    assert.deepEqual([half.status, half.location], [303, ASKED])
    assert.notEqual(browser.sessionId, before)
    assert.equal((await browser.open(PATH)).location, ASKED)
    const rest = await browser.open(ASKED)
    assert.doesNotMatch(rest.html, /data-passkey=/)
    const done = await browser.submit(CONFIRM, { return_url: PATH, password: PASSWORD })

    assert.deepEqual([done.status, done.location], [303, PATH])
    assert.equal((await browser.open(PATH)).status, 200)
    assert.deepEqual((await world.events(ada)).slice(-3), [
      'passkey-used',
      'step-up-confirmed',
      'step-up-confirmed',
    ])
  })

  it('says that a wrong response was not accepted [RA-1401]', async (test) => {
    const { world, ada, browser } = await asked(test)

    await browser.submit(BY_PASSKEY, { return_url: PATH, response: '{}' })

    assert.match((await browser.open(ASKED)).html, /The passkey was not accepted/)
    assert.equal((await world.events(ada)).at(-1), 'passkey-refused')
  })
})
