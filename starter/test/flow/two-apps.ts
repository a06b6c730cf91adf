/** Somebody with two authenticator apps, in the steps of the pages. @module */
import type { TestContext } from 'node:test'
import { type Browser, type Person, World } from '../support.ts'
import { ADD, factorIds, withSecretOf } from './security-steps.ts'

/** Somebody with both. */
export interface TwoApps {
  readonly world: World
  /** With the secret of the first app. */
  readonly ada: Person
  /** The same person with the secret of the other app, whose first code is used. */
  readonly spare: Person
  /** Identifier of the first app. */
  readonly app: string
  /** Identifier of the other one. */
  readonly other: string
  readonly browser: Browser
}

/**
 * @param test The test.
 * @returns Somebody with both, in the browser that added the second one.
 */
export async function withTwoApps(test: TestContext): Promise<TwoApps> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const browser = world.browser()
  await browser.signIn(ada)
  world.clock.advance(1)
  const spare = withSecretOf(ada, await browser.open(ADD))
  await browser.submit(ADD, { label: 'Token', code: await world.code(spare) })
  const [app = '', other = ''] = await factorIds(world, ada)
  return { world, ada, spare, app, other, browser }
}

/**
 * @param owner Somebody with both.
 * @returns A code that is right for neither.
 */
export async function wrongForBoth({ world, ada, spare }: TwoApps): Promise<string> {
  const near = [ada, spare].flatMap((person) => [-1, 0, 1].map((step) => world.code(person, step)))
  const taken = new Set(await Promise.all(near))
  return ['000000', '111111', '222222', '333333'].find((code) => !taken.has(code)) ?? ''
}
