import type { Scene } from '../../../test/browser/stage.ts'
import { LONG_EMAIL, LONG_NAME, manySessions, person } from '../../../test/browser/stages/people.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'

const many: Scene = {
  name: 'the activity of an account with many sessions',
  shows: ['/account', '/account/activity'],
  async play(stage) {
    const long = await person(stage.world, { name: LONG_NAME, email: LONG_EMAIL })
    await manySessions(stage.world, long, 25)
    const visit = await stage.open()
    await stage.signIn(visit, long)
    await stage.look(visit, 'account-with-activity')
    await stage.show(visit, '/account/activity', 'many-activity')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [many],
  noPages: { '/account/activity/csv': 'a download', '/account/activity/json': 'a download' },
}
