/** Everything that a process may die during. @module */
import assert from 'node:assert/strict'
import { DEEDS_OF_PARTS, ofParts } from '../facts-of-parts.ts'
import {
  ADD,
  atDoor,
  codesOf,
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
import {
  assertLeadsTo,
  assertRefused,
  assertSignsIn,
  type Deed,
  factsOf,
  named,
  ownerOf,
  personOf,
  type Request,
  signedInOwner,
} from './deed.ts'

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
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const page = await browser.open(DOOR)
    if (page.status === 200)
      assertLeadsTo(await browser.submit(DOOR, { code }), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertRefused(world, person, { code })
    await assertSignsIn(world, person)
  },
}

const recoveryCode: Deed = {
  name: 'a recovery code',
  signsIn: true,
  async prepare(world) {
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    const [code = '', next = ''] = codes
    return { browser: await atDoor(world, person, RECOVERY), facts: { ...named(person), code, next } }
  },
  act: (browser, { code = '' }) => browser.submit(RECOVERY, { code }),
  async resume({ world, browser, person, facts: { code = '', next = '' }, isDone }) {
    const page = await browser.open(RECOVERY)
    if (page.status === 200)
      assertLeadsTo(await browser.submit(RECOVERY, { code }), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertRefused(world, person, { code, path: RECOVERY })
    assert.equal(await world.identity.codes.left(person.id), 9)
    const later = await atDoor(world, person, RECOVERY)
    assertLeadsTo(await later.submit(RECOVERY, { code: next }), '/account')
  },
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
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const suspended = await browser.open('/account/password')
    // The proof is in a session whose cookie never came.
    assert.notEqual(suspended.status, 200)
    if (isDone) await assertRefused(world, person, { code })
    const owner = (await browser.isSignedIn()) ? browser : await assertSignsIn(world, person)
    if (owner === browser) {
      world.clock.advance(30)
      await browser.open(`${CONFIRM}?return_url=%2Faccount%2Fpassword`)
      const fields = { password: PASSWORD, code: await world.code(person) }
      assertLeadsTo(
        await browser.submit(CONFIRM, { return_url: '/account/password', ...fields }),
        '/account/password',
      )
    }
    assert.equal((await owner.open('/account/password')).status, 200)
  },
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
  async resume({ world, browser, person, facts: { code = '' }, isDone }) {
    const page = await browser.open('/enroll')
    if (!isDone) {
      assert.equal((await personShown(world, 'ada', page)).secret?.reveal(), person.secret?.reveal())
      assert.equal(codesOf(await browser.submit('/enroll', { code })).length, 10)
      assertLeadsTo(await browser.submit('/enroll/done'), '/account')
    }
    assert.equal(await world.identity.codes.left(person.id), 10)
    await assertRefused(world, person, { code })
    await assertSignsIn(world, person)
  },
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
  async resume({ world, browser, person, isDone }) {
    const page = await browser.open('/enroll')
    if (page.status === 200)
      assertLeadsTo(await browser.submit('/enroll/done'), isDone ? '/login' : '/account')
    else assert.equal(isDone, true)
    await assertSignsIn(world, person)
  },
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
    return { browser, facts: factsOf({ browser, person, other }, { code }) }
  },
  act: (browser) => browser.submit(CODES),
  async resume(survivor) {
    const { world, person, facts, isDone } = survivor
    const { code = '' } = facts
    const path = RECOVERY
    if (isDone) await assertRefused(world, person, { code, path })
    const owner = await ownerOf(survivor, person)
    await confirm(world, owner, { person, path: CODES })
    const [next = ''] = codesOf(await owner.submit(CODES))
    await assertRefused(world, person, { code, path })
    assertLeadsTo(await (await atDoor(world, person, path)).submit(path, { code: next }), '/account')
  },
}

const passwordChange: Deed = {
  name: 'a change of password',
  async prepare(world) {
    const owner = await signedInOwner(world)
    await owner.browser.open(CHANGE)
    return { browser: owner.browser, facts: factsOf(owner) }
  },
  act: (browser) => browser.submit(CHANGE, { password: NEW }),
  async resume({ world, browser, person, isDone }) {
    if (!isDone) {
      assertLeadsTo(await browser.send(CHANGE, { password: NEW }), SECURITY)
    }
    assert.equal((await world.browser().password(person)).status, 422)
    await assertSignsIn(world, person, NEW)
  },
}

const adding: Deed = {
  name: 'a further authenticator',
  prepare: (world) => atSetUp(world, () => ADD),
  act: (browser, { code = '' }) => browser.submit(ADD, { label: 'Tablet', code }),
  async resume(survivor) {
    const { world, browser, person, facts, isDone } = survivor
    const { code = '' } = facts
    const added = { ...person, secret: personOf({ secret: facts['added'] ?? '' }).secret }
    assert.equal((await factorIds(world, person)).length, isDone ? 2 : 1)
    if (!isDone) {
      assertLeadsTo(await browser.send(ADD, { label: 'Tablet', code }), SECURITY)
    }
    await assertRefused(world, person, { code })
    // The second door asks for the authenticator that was used last.
    await assertSignsIn(world, added)
  },
}

const replacing: Deed = {
  name: 'an authenticator in place of another',
  prepare: (world) => atSetUp(world, (id) => `${SECURITY}/factors/${id}/replace`),
  act: (browser, { path = '', code = '' }) => browser.submit(path, { label: 'Tablet', code }),
  async resume({ world, browser, person, facts, isDone }) {
    const { path = '', code = '' } = facts
    const added = { ...person, secret: personOf({ secret: facts['added'] ?? '' }).secret }
    if (!isDone) {
      assertLeadsTo(await browser.send(path, { label: 'Tablet', code }), SECURITY)
    }
    assert.equal((await factorIds(world, person)).length, 1)
    await assertRefused(world, person, { code: await world.code(person) })
    await assertRefused(world, person, { code })
    await assertSignsIn(world, added)
  },
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
  async resume({ world, browser, person, facts: { path = '' }, isDone }) {
    if (!isDone) {
      assertLeadsTo(await browser.send(path), SECURITY)
    }
    assert.deepEqual(await factorIds(world, person), [])
    await assertSignsIn(world, { ...person, secret: undefined })
  },
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
