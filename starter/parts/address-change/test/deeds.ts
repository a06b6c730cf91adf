/** What a process may die during. @module */
import assert from 'node:assert/strict'
import type { Browser, Person, World } from '../../../test/support.ts'
import { signedInOwner, assertLeadsTo, assertSignsIn, type Deed, named } from '../../../test/crash/deed.ts'
import { linkIn } from '../../../test/flow/steps.ts'

const ADDRESS = '/account/address'
const NEW_ADDRESS = 'ada@new.example.test'

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
    const link = linkIn(world, '/address/restore/')
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

async function askForReset(world: World, { email }: Pick<Person, 'email'>): Promise<string> {
  const stranger = world.browser()
  await stranger.send('/forgot', { email })
  return linkIn(world, '/forgot/')
}

async function askForAddress(world: World, browser: Browser): Promise<string> {
  await browser.open(ADDRESS)
  assertLeadsTo(await browser.submit(ADDRESS, { email: NEW_ADDRESS }), `${ADDRESS}/sent`)
  return linkIn(world, '/address/confirm/')
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

/** What owners do with their address. */
export const DEEDS: readonly Deed[] = [addressChange, addressRestore]
