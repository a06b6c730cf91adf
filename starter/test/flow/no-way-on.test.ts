import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAIL_PASSWORD_SECONDS } from '../../core/limits/limits.ts'
import { PARTS } from '../../parts.ts'
import { demanding } from '../demanding.ts'
import { ownerOf } from './steps.ts'

const parts = PARTS.filter(({ lostFactors }) => lostFactors === undefined)

describe('without a part that leads on who has no factor at hand', () => {
  it('an account that must set up one waits until its password counts no more as one by mail [MEND-04]', async (test) => {
    const must = demanding().parts.filter(({ lostFactors }) => lostFactors === undefined)
    const { world, person: ada } = await ownerOf(test, { parts: must, factor: 'none' })
    const byMail = { mail_password_at: world.clock.timestamp() }
    await world.database.updateTable('account').set(byMail).execute()
    const browser = world.browser()

    assert.equal((await browser.password(ada)).location, '/login')
    assert.match((await browser.open('/login')).html, /your account has none that works/)
    assert.equal((await browser.open('/enroll')).location, '/login')
    assert.equal(await browser.isSignedIn(), false)

    world.clock.advance(MAIL_PASSWORD_SECONDS)
    assert.equal((await browser.password(ada)).location, '/enroll')
  })

  it('the second door names no other way [RA-2102]', async (test) => {
    const { person: ada, browser } = await ownerOf(test, { parts })
    await browser.password(ada)

    const { html } = await browser.open('/login/2fa')

    assert.doesNotMatch(html, /\/lost/)
    assert.equal((await browser.open('/lost')).status, 404)
    assert.equal((await browser.open('/enroll')).location, '/login')
  })
})
