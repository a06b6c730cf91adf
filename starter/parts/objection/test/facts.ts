import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { MAX_OBJECTIONS } from '../objection-links.ts'

const objection: Scene = {
  name: 'the link "this was not me"',
  shows: ['/not-me/{token}', '/forgot'],
  async play(stage) {
    const ada = await stage.world.person('ada')
    await stage.world.identity.notices.tell(ada.id, 'password-changed')
    const visit = await stage.open()
    const link = stage.link('/not-me/')
    await stage.show(visit, link, 'not-me')
    await visit.click('button', 'Sign out everywhere')
    await stage.look(visit, 'not-me-done')
    await stage.show(visit, link, 'not-me-outdated')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [objection],
  links: {
    'POST /not-me/{token}':
      'ends every session and pending login of the account; password and factors stay as they are, and the next page asks for a new password',
  },
  lists: { objection: { most: MAX_OBJECTIONS } },
  told: { objection: 'the notice has no link "this was not me"' },
}
