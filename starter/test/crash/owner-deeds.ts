/** What owners do with their account: its address, its deletion. @module */
import assert from 'node:assert/strict'
import { DELETION_DAYS } from '../../identity/deletion/account-deletion.ts'
import { signUp } from '../flow/newcomer.ts'
import type { Browser, Person, World } from '../support.ts'
import { signedInOwner } from './change-deeds.ts'
import { assertLeadsTo, assertSignsIn, browserWith, type Deed, linkIn, named } from './deed.ts'

const ADDRESS = '/account/address'
const NEW_ADDRESS = 'ada@new.example.test'
const DELETE = '/account/delete'
const DELETION_SECONDS = DELETION_DAYS * 24 * 60 * 60

const addressChange: Deed = {
  name: 'the link to a new address',
  async prepare(world) {
    const { browser, person, other } = await signedInOwner(world)
    const reset = await askForReset(world, person)
    const link = await askForAddress(world, browser)
    await browser.open(link)
    return { browser, facts: { ...named(person), other: other.sessionId ?? '', link, reset } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
  async resume({ world, browser, person, facts: { link = '', reset = '' }, isDone }) {
    assert.equal((await world.browser().open(reset)).status, isDone ? 410 : 200)
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) assertLeadsTo(await browser.submit(link), '/account')
    for (const each of [link, reset]) assert.equal((await world.browser().open(each)).status, 410)
    await assertMoved(world, person, { from: person.email, to: NEW_ADDRESS })
  },
}

const addressRestore: Deed = {
  name: 'the link back to the former address',
  async prepare(world) {
    const { person, browser: changing } = await signedInOwner(world)
    const change = await askForAddress(world, changing)
    await changing.open(change)
    assertLeadsTo(await changing.submit(change), '/account')
    const link = linkIn(world, /\/address\/restore\/[\w-]{43}/)
    const reset = await askForReset(world, { email: NEW_ADDRESS })
    const browser = world.browser()
    await browser.open(link)
    return { browser, facts: { ...named(person), other: changing.sessionId ?? '', link, reset } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
  async resume({ world, browser, person, facts: { link = '', reset = '' }, isDone }) {
    // Whoever changed the address may hold it.
    assert.equal((await world.browser().open(reset)).status, isDone ? 410 : 200)
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) assertLeadsTo(await browser.submit(link), '/forgot')
    for (const each of [link, reset]) assert.equal((await world.browser().open(each)).status, 410)
    assert.equal(await browser.isSignedIn(), false)
    await assertMoved(world, person, { from: NEW_ADDRESS, to: person.email })
  },
}

const deletion: Deed = {
  name: 'the request to delete an account',
  async prepare(world) {
    const { browser, person, other } = await signedInOwner(world)
    const pending = world.browser()
    assertLeadsTo(await pending.password(person), '/login/2fa')
    await browser.open(DELETE)
    const sessions = { other: other.sessionId ?? '', pending: pending.sessionId ?? '' }
    return { browser, facts: { ...named(person), ...sessions } }
  },
  act: (browser, { email = '' }) => browser.submit(DELETE, { email }),
  async resume({ world, browser, person, facts: { pending = '' }, isDone }) {
    const door = await browserWith(world, pending).open('/login/2fa')
    assert.equal(door.status, isDone ? 303 : 200, 'a pending login ends with it')
    if (!isDone) {
      await browser.open(DELETE)
      assertLeadsTo(await browser.submit(DELETE, { email: person.email }), '/')
    }
    assert.equal(await browser.isSignedIn(), false)
    // The mail with the link may never have been sent: to sign in is enough.
    await assertSignsIn(world, person)
    await assertStays(world, person)
  },
}

const deletionStop: Deed = {
  name: 'the link that stops a deletion',
  async prepare(world) {
    const { person, link } = await askedForDeletion(world)
    const browser = world.browser()
    await browser.open(link)
    return { browser, facts: { ...named(person), link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
  async resume({ world, browser, person, facts: { link = '' }, isDone }) {
    assert.equal((await browser.open(link)).status, isDone ? 410 : 200)
    if (!isDone) assertLeadsTo(await browser.submit(link), '/login')
    assert.equal((await world.browser().open(link)).status, 410)
    assert.equal(await browser.isSignedIn(), false)
    await assertStays(world, person)
    await assertSignsIn(world, person)
  },
}

const deletionBySignIn: Deed = {
  name: 'the sign-in that stops a deletion',
  signsIn: true,
  async prepare(world) {
    const { person } = await askedForDeletion(world)
    const browser = world.browser()
    assertLeadsTo(await browser.password(person), '/login/2fa')
    await browser.open('/login/2fa')
    return { browser, facts: { ...named(person), code: await world.code(person) } }
  },
  act: (browser, { code = '' }) => browser.submit('/login/2fa', { code }),
  async resume({ world, person }) {
    await assertSignsIn(world, person)
    await assertStays(world, person)
  },
}

const erasure: Deed = {
  name: 'the erasure of an account',
  async prepare(world) {
    const { person, link } = await askedForDeletion(world)
    world.clock.advance(DELETION_SECONDS)
    return { browser: world.browser(), facts: { ...named(person), link } }
  },
  async act(_browser, _facts, world) {
    assert.equal(await world.identity.erasure.run(), 1)
    return undefined
  },
  async resume({ world, person, facts: { link = '' }, isDone }) {
    assert.equal(await world.identity.erasure.run(), isDone ? 0 : 1)
    assert.equal(await world.identity.users.authenticationIdentity(person.id), null)
    assert.equal((await world.browser().open(link)).status, 410)
    assert.equal((await world.browser().password(person)).status, 422)
    await signUp(world, world.browser(), 'ada')
  },
}

async function askForReset(world: World, { email }: Pick<Person, 'email'>): Promise<string> {
  const stranger = world.browser()
  await stranger.open('/forgot')
  await stranger.submit('/forgot', { email })
  return linkIn(world, /\/forgot\/[\w-]{43}/)
}

async function askForAddress(world: World, browser: Browser): Promise<string> {
  await browser.open(ADDRESS)
  assertLeadsTo(await browser.submit(ADDRESS, { email: NEW_ADDRESS }), `${ADDRESS}/sent`)
  return linkIn(world, /\/address\/confirm\/[\w-]{43}/)
}

async function askedForDeletion(world: World): Promise<{ readonly person: Person; readonly link: string }> {
  const { browser, person } = await signedInOwner(world)
  await browser.open(DELETE)
  assertLeadsTo(await browser.submit(DELETE, { email: person.email }), '/')
  return { person, link: linkIn(world, /\/deletion\/stop\/[\w-]{43}/) }
}

// One address signs in, and the other one does not.
async function assertMoved(
  world: World,
  person: Person,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  assert.equal((await world.browser().password({ email: from })).status, 422)
  await assertSignsIn(world, { ...person, email: to })
}

async function assertStays(world: World, { id }: Person): Promise<void> {
  world.clock.advance(DELETION_SECONDS)
  assert.equal(await world.identity.erasure.run(), 0)
  assert.notEqual(await world.identity.users.authenticationIdentity(id), null)
}

/** What owners do with their account. */
export const OWNERS: readonly Deed[] = [
  addressChange,
  addressRestore,
  deletion,
  deletionStop,
  deletionBySignIn,
  erasure,
]
