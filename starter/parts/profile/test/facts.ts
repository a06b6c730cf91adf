import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'

const profile: Scene = {
  name: 'the profile',
  shows: ['/account/profile'],
  async play(stage) {
    const visit = await stage.open()
    await stage.signIn(visit, await stage.world.person('ada', { factor: 'enabled' }))
    const save = async (name: string): Promise<void> => {
      await visit.page.getByLabel('Your name').fill(name)
      await visit.click('button', 'Save the name')
    }
    await visit.click('link', 'Profile')
    await stage.look(visit, 'profile')
    await save(' ')
    await stage.look(visit, 'profile-refused')
    await save('Ada Lovelace')
    await stage.look(visit, 'profile-saved')
    await visit.page.getByLabel('Your name').fill('Ada King')
    stage.world.clock.advance(31 * 60)
    await visit.click('button', 'Save the name')
    await visit.page.getByText('What you had typed').waitFor()
    await stage.look(visit, 'profile-late')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [profile],
  free: { '/account/profile': 'the name and the language, which open nothing' },
}
