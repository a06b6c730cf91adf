import type { Scene } from '../../../test/browser/stage.ts'
import { signedInOwner, assertLeadsTo, type Deed, named } from '../../../test/crash/deed.ts'
import type { PartFacts } from '../../../test/facts-of-parts.ts'
import { linkIn } from '../../../test/flow/steps.ts'
import { MAX_OBJECTIONS } from '../objection-links.ts'

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

const signingOut: Deed = {
  name: 'the link "this was not me"',
  async prepare(world) {
    const { person, other } = await signedInOwner(world)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    await world.identity.tell({ kind: 'password-changed', accountId: person.id })
    const link = linkIn(world, '/not-me/')
    const browser = world.browser()
    await browser.open(link)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions, link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  scenes: [objection],
  deeds: [signingOut],
  links: {
    'POST /not-me/{token}':
      'ends every session and pending login of the account; password and factors stay as they are, and the next page asks for a new password',
  },
  lists: { objection: { most: MAX_OBJECTIONS } },
}
