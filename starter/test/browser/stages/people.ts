/** Accounts that put pages to the test: long names, many of them, many sessions. @module */
import { type Person, type PersonOptions, type World } from '../../support.ts'

/** As long as an address may be (254 characters), with hardly a place to break a line. */
export const LONG_EMAIL: string = [
  `${'wolfeschlegelsteinhausenbergerdorff'.padEnd(64, 'x')}@`,
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(48)}.example.test`,
].join('')

/** As long as a name may be (100 characters), without a place to break a line. */
export const LONG_NAME: string = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100)

const USER_AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
  '',
]

/** @returns The account, with the password of the tests. */
export async function person(
  world: World,
  who: PersonOptions & { readonly name: string; readonly email: string },
): Promise<Person> {
  const { name, email, ...options } = who
  const made = await world.person('x', { factor: 'enabled', ...options })
  await world.database
    .updateTable('account')
    .set({ name, email, email_key: email.toLowerCase() })
    .where('id', '=', made.id)
    .execute()
  return { ...made, email }
}

/**
 * @param world Where they are made.
 * @param count How many accounts without a factor.
 */
export async function manyAccounts(world: World, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await world.person(`colleague-${n}`, n % 3 === 0 ? { permissions: ['admin.access'] } : {})
}

/**
 * @param world Where they begin.
 * @param owner Who signs in on many devices, from many networks.
 * @param count How many sessions.
 */
export async function manySessions(world: World, owner: Person, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    world.clock.advance(30)
    const userAgent = USER_AGENTS[n % USER_AGENTS.length] ?? ''
    const clientAddress = n % 5 === 0 ? `2001:db8:4711:${n + 1000}::7` : `198.51.${100 + n}.7`
    await world.browser({ clientAddress, userAgent }).signIn(owner)
  }
}
