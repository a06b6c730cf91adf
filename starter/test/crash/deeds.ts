/** Everything that a process may die during. @module */
import { DEEDS_OF_PARTS, ofParts } from '../facts-of-parts.ts'
import {
  ADD,
  atDoor,
  confirm,
  CONFIRM,
  DOOR,
  enroll,
  factorIds,
  formIdOf,
  personOf as personShown,
  RECOVERY,
  SECURITY,
  signUp,
  withSecretOf,
} from '../flow/steps.ts'
import { deedOf, CORE_LINKS } from '../mail-link.ts'
import { PASSWORD, type World } from '../support.ts'
import { assertLeadsTo, type Deed, factsOf, named, type Request, signedInOwner, withAdded } from './deed.ts'

const NEW = 'a quiet orchard in the rain'
const CODES = '/account/recovery-codes'
const CHANGE = '/account/password'

const totp: Deed = {
  name: 'a code of the authenticator',
  isSilent: true,
  signsIn: true,
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    return { browser: await atDoor(world, ada), facts: { ...named(ada), code: await world.code(ada) } }
  },
  act: (browser, { code = '' }) => browser.submit(DOOR, { code }),
}

const recoveryCode: Deed = {
  name: 'a recovery code',
  signsIn: true,
  async prepare(world) {
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    const [code = ''] = codes
    const facts = { ...named(person), code, door: RECOVERY }
    return { browser: await atDoor(world, person, RECOVERY), facts }
  },
  act: (browser, { code = '' }) => browser.submit(RECOVERY, { code }),
}

const stepUp: Deed = {
  name: 'a code at a step-up',
  isSilent: true,
  async prepare(world) {
    const { browser, person } = await signedInOwner(world)
    world.clock.advance(300)
    const shown = await browser.open(`${CONFIRM}?return_url=%2Faccount%2Fpassword`)
    return { browser, facts: { ...named(person), ...formIdOf(shown), code: await world.code(person) } }
  },
  act: (browser, { code = '', form_id = '' }) =>
    browser.submit(CONFIRM, { return_url: '/account/password', password: PASSWORD, code, form_id }),
}

const firstProof: Deed = {
  name: 'the first code of an enrollment',
  async prepare(world) {
    const browser = world.browser()
    const person = await personShown(world, 'ada', await signUp(world, browser, 'ada'))
    const other = world.browser()
    assertLeadsTo(await other.password(person), '/account')
    const facts = { ...named(person), other: other.sessionId ?? '', code: await world.code(person) }
    return { browser, facts }
  },
  act: (browser, { code = '' }) => browser.submit('/enroll', { code }),
}

const done: Deed = {
  name: 'the end of an enrollment',
  isSilent: true,
  signsIn: true,
  async prepare(world) {
    const browser = world.browser()
    const { person } = await enroll(world, browser, 'ada')
    await browser.open('/enroll')
    return { browser, facts: named(person) }
  },
  act: (browser) => browser.submit('/enroll/done'),
}

const renewal: Deed = {
  name: 'new recovery codes',
  async prepare(world) {
    const browser = world.browser()
    const { person, codes } = await enroll(world, browser, 'ada')
    await browser.open('/enroll')
    await browser.submit('/enroll/done')
    world.clock.advance(30)
    const other = await world.inside(person)
    world.clock.advance(30)
    await confirm(world, browser, { person, path: CODES })
    await browser.open(CODES)
    const [code = ''] = codes
    return { browser, facts: factsOf({ browser, person, other }, { code, door: RECOVERY }) }
  },
  act: (browser) => browser.submit(CODES),
}

const passwordChange: Deed = {
  name: 'a change of password',
  async prepare(world) {
    const owner = await signedInOwner(world)
    await owner.browser.open(CHANGE)
    return { browser: owner.browser, facts: factsOf(owner) }
  },
  act: (browser) => browser.submit(CHANGE, { password: NEW }),
  leaves: (person) => ({ ...person, password: NEW }),
}

const adding: Deed = {
  name: 'a further authenticator',
  prepare: (world) => atSetUp(world, () => ADD),
  act: (browser, { code = '' }) => browser.submit(ADD, { label: 'Tablet', code }),
  leaves: withAdded,
}

const replacing: Deed = {
  name: 'an authenticator in place of another',
  prepare: (world) => atSetUp(world, (id) => `${SECURITY}/factors/${id}/replace`),
  act: (browser, { path = '', code = '' }) => browser.submit(path, { label: 'Tablet', code }),
  leaves: withAdded,
}

async function atSetUp(world: World, pathOf: (id: string) => string): ReturnType<Deed['prepare']> {
  const owner = await signedInOwner(world)
  const [id = ''] = await factorIds(world, owner.person)
  const path = pathOf(id)
  const added = withSecretOf(owner.person, await owner.browser.open(path))
  const more = { path, added: added.secret?.reveal() ?? '', code: await world.code(added) }
  return { browser: owner.browser, facts: factsOf(owner, more) }
}

const removal: Deed = {
  name: 'the removal of an authenticator',
  async prepare(world) {
    const owner = await signedInOwner(world)
    const [id = ''] = await factorIds(world, owner.person)
    const path = `${SECURITY}/factors/${id}/remove`
    await owner.browser.open(path)
    return { browser: owner.browser, facts: factsOf(owner, { path }) }
  },
  act: (browser, { path = '' }) => browser.submit(path),
  leaves: (person) => ({ ...person, secret: undefined }),
}

function passwordOf(factor: 'none' | 'enabled'): Request {
  return {
    name: `a password, ${factor === 'none' ? 'without' : 'with'} a second factor`,
    async prepare(world) {
      const browser = world.browser()
      await browser.open('/login')
      return { browser, facts: named(await world.person('ada', { factor })) }
    },
    act: (browser, { email = '' }) => browser.submit('/login', { email, password: PASSWORD }),
  }
}

/** The password of an account without a second factor, and of one with it. */
export const PASSWORDS: readonly [Request, Request] = [passwordOf('none'), passwordOf('enabled')]

/** The uses of a factor. */
export const LOGINS: readonly [Deed, Deed, Deed] = [totp, recoveryCode, stepUp]

/** Those that ask for a code. */
export const WITH_CODE: readonly Deed[] = [...LOGINS, firstProof, adding]

/** The codes of parts at the second door. */
export const DOORS_OF_PARTS: readonly Request[] = Object.entries(ofParts('doors')).map(
  ([name, { page, prove }]) => ({
    name,
    async prepare(world) {
      const person = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      await browser.password(person)
      return { browser, facts: await prove(browser, world) }
    },
    act: (browser, fields) => browser.submit(page, fields),
  }),
)

/** Those of the core. */
export const CORE_DEEDS: readonly Deed[] = [
  ...LOGINS,
  firstProof,
  done,
  renewal,
  passwordChange,
  adding,
  replacing,
  removal,
  ...Object.entries(CORE_LINKS).map(deedOf),
]

/** All of them. */
export const DEEDS: readonly Deed[] = [...CORE_DEEDS, ...DEEDS_OF_PARTS]
