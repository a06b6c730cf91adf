/** Two authenticators, and a set-up that was cancelled in another tab. @module */
import assert from 'node:assert/strict'
import { generate } from 'otplib/functional'
import { Challenges } from '../../../identity/challenges/challenges.ts'
import type { Scene } from '../stage.ts'

const DAY_SECONDS = 24 * 60 * 60

const two: Scene = {
  name: 'an account with two authenticators',
  shows: ['/account/security', '/account/confirm', '/login/2fa'],
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.signIn(visit, ada)
    await visit.open('/account/security/add-counter')
    const secret = (await visit.page.locator('code.secret').innerText()).replaceAll(/\s/g, '')
    await visit.page.getByLabel('Name').fill('Key fob at the gate')
    await visit.page.getByLabel('First code').fill(await generate({ strategy: 'hotp', secret, counter: 0 }))
    await visit.click('button', 'Continue')
    await stage.look(visit, 'two-added')
    world.clock.advance(301)
    await stage.show(visit, '/account/password', 'two-confirm')
    await visit.page.getByLabel('Password').fill('wrong')
    await visit.page.getByLabel('Six-digit code').fill('000000')
    await visit.click('button', 'Confirm')
    await stage.look(visit, 'two-confirm-refused')
    const other = await stage.open()
    await stage.enterPassword(other, ada)
    await stage.look(other, 'two-challenge')
  },
}

const cancelled: Scene = {
  name: 'a set-up that another tab has cancelled',
  shows: ['/enroll'],
  async play(stage) {
    const { world } = stage
    const eve = await world.person('eve', { permissions: ['admin.access'] })
    const visit = await stage.open()
    await stage.signIn(visit, eve)
    world.clock.advance(14 * DAY_SECONDS)
    await stage.enterPassword(visit, eve)
    await visit.open(stage.link('/enroll/confirm/'))
    await visit.click('button', 'Continue')
    await stage.look(visit, 'enroll-before-cancel')
    // As the other tab does it, at the moment in which this one is read: it leaves the session to this one.
    const { id } = await world.database
      .selectFrom('challenge')
      .select('id')
      .where('account_id', '=', eve.id)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
    assert.ok(await world.app.get(Challenges).giveUp(id, eve.id))
    await visit.page.getByLabel('First code').fill('000000')
    await visit.click('button', 'Continue')
    await stage.look(visit, 'enroll-cancelled')
  },
}

/** Scenes of factors. */
export const FACTORS: readonly Scene[] = [two, cancelled]
