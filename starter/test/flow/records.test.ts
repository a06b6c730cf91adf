import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { confirm, enroll, leave, newestLink, RECOVERY } from './steps.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('an event', () => {
  it('has the device of the browser, and of a sign-in or a confirmation with which factor, if there was one [RA-0008 RA-2001]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser({ clientAddress: '192.0.2.7', userAgent: FIREFOX })
    await browser.signIn(await world.person('bob'))
    await leave(browser)
    const { person: ada, codes } = await enroll(world, browser, 'ada')
    await browser.password(ada, 'wrong')
    world.clock.advance(30)
    await browser.signIn(ada)
    await leave(browser)
    await browser.password(ada)
    await browser.send(RECOVERY, { code: codes[0] ?? '' })
    world.clock.advance(300)
    await confirm(world, browser, { person: ada, path: '/account/recovery-codes' })
    await browser.submit('/account/recovery-codes')
    await browser.send('/forgot', { email: ada.email })
    await browser.send(newestLink(world), { password: 'a quiet orchard in the rain' })

    const events = world.database.selectFrom('event').select(['kind', 'detail', 'device'])
    const rows = await events.orderBy('id').execute()
    assert.deepEqual(new Set(rows.map(({ device }) => device.replace(/\/.*/, ''))), new Set(['Firefox']))
    const seen = rows.map(({ kind, detail }) =>
      kind === 'logged-in' || kind === 'step-up-confirmed' ? `${kind} ${detail}` : kind,
    )
    assert.deepEqual(seen, [
      'logged-in null',
      'logged-out',
      'account-created',
      'factor-enabled',
      'password-refused',
      'password-accepted',
      'logged-in totp',
      'logged-out',
      'password-accepted',
      'recovery-code-used',
      'logged-in recovery',
      'step-up-confirmed totp',
      'recovery-codes-renewed',
      'reset-requested',
      'password-reset',
    ])
  })
})
