import { generate } from 'otplib/functional'
import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'

const added: Scene = {
  name: 'a code generator with a counter',
  shows: ['/account/security/add', '/login/2fa'],
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.signIn(visit, ada)
    await stage.show(visit, '/account/security/add?kind=hotp', 'add-counter')
    const secret = (await visit.page.locator('code.secret').innerText()).replaceAll(/\s/g, '')
    await visit.page.getByLabel('First code').fill(await generate({ strategy: 'hotp', secret, counter: 0 }))
    await visit.click('button', 'Continue')
    const other = await stage.open()
    await stage.enterPassword(other, ada)
    await stage.look(other, 'challenge-counter')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = { settings: { hotp: true }, scenes: [added] }
