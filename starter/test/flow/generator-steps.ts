/** Somebody with an authenticator app and a code generator, in the steps of the pages. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { generate } from 'otplib/functional'
import { type Browser, type Person, World } from '../support.ts'
import { factorIds, withSecretOf } from './security-steps.ts'

const ADD_COUNTER = '/account/security/add-counter'

/** Somebody with both. */
export interface TwoAuthenticators {
  readonly world: World
  /** With the secret of the app. */
  readonly ada: Person
  /** The same person with the secret of the generator, whose first code is used. */
  readonly generator: Person
  /** Identifier of the app. */
  readonly app: string
  /** Identifier of the generator. */
  readonly counter: string
  readonly browser: Browser
}

/**
 * @param person Somebody with the secret of a code generator.
 * @param counter How often its button was pressed before.
 * @returns The code that it shows.
 */
export function press({ secret }: Person, counter: number): Promise<string> {
  assert.ok(secret !== undefined)
  return generate({ strategy: 'hotp', secret: secret.reveal(), counter })
}

/**
 * @param test The test.
 * @returns Somebody with both, in the browser that added the generator.
 */
export async function withGenerator(test: TestContext): Promise<TwoAuthenticators> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const browser = world.browser()
  await browser.signIn(ada)
  world.clock.advance(1)
  const generator = withSecretOf(ada, await browser.open(ADD_COUNTER))
  await browser.submit(ADD_COUNTER, { label: 'Token', code: await press(generator, 0) })
  const [app = '', counter = ''] = await factorIds(world, ada)
  return { world, ada, generator, app, counter, browser }
}

/**
 * @param owner Somebody with both.
 * @returns A code that is right for neither.
 */
export async function wrongForBoth({ world, ada, generator }: TwoAuthenticators): Promise<string> {
  const near = await Promise.all(Array.from({ length: 100 }, (_, counter) => press(generator, counter)))
  const taken = new Set([...near, await world.code(ada)])
  return ['000000', '111111', '222222', '333333'].find((code) => !taken.has(code)) ?? ''
}
