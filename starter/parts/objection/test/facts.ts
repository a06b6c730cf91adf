import type { Scene } from '../../../test/browser/stage.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { MAX_OBJECTIONS, OBJECTION_DAYS } from '../objection-links.ts'

const objection: Scene = {
  name: 'the link "this was not me"',
  shows: ['/not-me/{token}', '/forgot'],
  async play(stage) {
    const ada = await stage.world.person('ada')
    await stage.world.identity.tell({ kind: 'password-changed', accountId: ada.id })
    const visit = await stage.open()
    const link = stage.link('/not-me/')
    await stage.show(visit, link, 'not-me')
    await stage.press(visit, 'Sign out everywhere', 'not-me-done')
    await stage.show(visit, link, 'not-me-outdated')
  },
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [objection],
  mailLinks: {
    'the link "this was not me"': {
      clauses: '[RA-1702]',
      start: '/not-me/',
      does: 'ends every session and pending login of the account; password and factors stay as they are, and the next page asks for a new password',
      async make(world) {
        const ada = await world.person('ada', { factor: 'enabled' })
        await world.identity.tell({ kind: 'password-changed', accountId: ada.id })
        return ada
      },
      event: 'objected',
      table: 'objection',
      seconds: OBJECTION_DAYS * 24 * 60 * 60,
      endsSessions: true,
    },
  },
  lists: { objection: { most: MAX_OBJECTIONS } },
}
