/** Two authenticators. @module */
import { Secret } from 'sallyport'
import type { Scene } from '../stage.ts'

const two: Scene = {
  name: 'an account with two authenticators',
  shows: ['/account/security', '/account/confirm', '/login/2fa'],
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.signIn(visit, ada)
    await visit.open('/account/security/add')
    const secret = (await visit.page.locator('code.secret').innerText()).replaceAll(/\s/g, '')
    await visit.page.getByLabel('Name').fill('Key fob at the gate')
    await visit.page.getByLabel('First code').fill(await world.code({ ...ada, secret: new Secret(secret) }))
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

/** Scenes of factors. */
export const FACTORS: readonly Scene[] = [two]
