/** What a process may die during. @module */
import { signedInOwner, assertLeadsTo, type Deed, named } from '../../../test/crash/deed.ts'
import { ADMINISTRATOR } from '../permission.ts'

const REASON = { reason: 'lost the phone' }

const factorReset: Deed = {
  name: 'the reset of the factors by an administrator',
  isRepeated: true,
  async prepare(world) {
    const { person, other } = await signedInOwner(world)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    const root = await world.person('root', { factor: 'enabled', permissions: ADMINISTRATOR })
    const browser = world.browser()
    assertLeadsTo(await browser.signIn(root), '/account')
    const path = `/admin/accounts/${person.id}/reset-factors`
    await browser.open(path)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions, path } }
  },
  act: (browser, { path = '' }) => browser.submit(path, REASON),
  leaves: (person) => ({ ...person, secret: undefined }),
}

/** What administrators do. */
export const DEEDS: readonly Deed[] = [factorReset]
