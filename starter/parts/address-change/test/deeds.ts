/** What a process may die during. @module */
import type { Browser, World } from '../../../test/support.ts'
import { signedInOwner, assertLeadsTo, type Deed, named } from '../../../test/crash/deed.ts'
import { linkIn } from '../../../test/flow/steps.ts'

const ADDRESS = '/account/address'
const NEW_ADDRESS = 'ada@new.example.test'

const addressChange: Deed = {
  name: 'the link to a new address',
  async prepare(world) {
    const { browser, person, other } = await signedInOwner(world)
    const link = await askForAddress(world, browser)
    await browser.open(link)
    return { browser, facts: { ...named(person), other: other.sessionId ?? '', link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
  leaves: (person) => ({ ...person, email: NEW_ADDRESS }),
}

const addressRestore: Deed = {
  name: 'the link back to the former address',
  async prepare(world) {
    const { person, browser: changing } = await signedInOwner(world)
    const change = await askForAddress(world, changing)
    await changing.open(change)
    assertLeadsTo(await changing.submit(change), '/account')
    const link = linkIn(world, '/address/restore/')
    const browser = world.browser()
    await browser.open(link)
    return { browser, facts: { ...named(person), other: changing.sessionId ?? '', link } }
  },
  act: (browser, { link = '' }) => browser.submit(link),
}

async function askForAddress(world: World, browser: Browser): Promise<string> {
  await browser.open(ADDRESS)
  assertLeadsTo(await browser.submit(ADDRESS, { email: NEW_ADDRESS }), `${ADDRESS}/sent`)
  return linkIn(world, '/address/confirm/')
}

/** What owners do with their address. */
export const DEEDS: readonly Deed[] = [addressChange, addressRestore]
