/** Getting back in: a forgotten password. @module */
import type { Scene } from '../stage.ts'

const NEW = 'a quiet orchard in the rain'

const forgotten: Scene = {
  name: 'a forgotten password',
  shows: ['/forgot', '/forgot/sent', '/forgot/{token}', '/login'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    const { page } = visit
    const ask = async (email: string): Promise<void> => {
      await visit.open('/forgot')
      await page.getByLabel('Email address').fill(email)
      await visit.click('button', 'Send the link')
    }
    await stage.show(visit, '/forgot', 'forgot')
    await ask(ada.email)
    await stage.look(visit, 'forgot-sent')
    await stage.show(visit, stage.link('/forgot/'), 'forgot-choose')
    const link = new URL(page.url()).pathname
    const choose = async (password: string): Promise<void> => {
      await page.getByLabel('Password').fill(password)
      await visit.click('button', 'Set the password')
    }
    await choose('password1234')
    await stage.look(visit, 'forgot-choose-refused')
    await choose(NEW)
    await stage.look(visit, 'forgot-done')
    await stage.show(visit, link, 'forgot-outdated')
    for (let asked = 0; asked < 5; asked += 1) await ask(ada.email)
    await stage.look(visit, 'forgot-429')
    await visit.open('/login')
    await visit.enterPassword(ada, NEW)
    await visit.enterCode(await stage.code(ada))
    await stage.show(visit, '/forgot', 'forgot-inside')
  },
}

/** Scenes of getting back in. */
export const RECOVERY: readonly Scene[] = [forgotten]
