/** Forms that are sent twice: where they begin, and how the second one arrives while the first one is at work. @module */
import type { TestContext } from 'node:test'
import { StepUp } from '../../core/step-up/step-up.ts'
import { type Browser, type Page, type Person, type PersonOptions, World } from '../support.ts'

/** Somebody in front of a form. */
export interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

/** A form, and where it stands. */
export interface Form {
  /** Where it goes. */
  readonly path: string
  /** The page that it stands on. Default: of the same path. */
  readonly page?: string
  /** What it is filled in with. Default: nothing. */
  readonly fields?: Readonly<Record<string, string>>
}

/**
 * @param test The test.
 * @param options What the account has. Default: an authenticator.
 * @returns Somebody who is not signed in.
 */
export async function outside(
  test: TestContext,
  options: PersonOptions = { factor: 'enabled' },
): Promise<Scene> {
  const world = await World.create(test)
  return { world, ada: await world.person('ada', options), browser: world.browser() }
}

/**
 * @param test The test.
 * @returns Somebody who has just signed in, with an unused code.
 */
export async function inside(test: TestContext): Promise<Scene> {
  const scene = await outside(test)
  await scene.browser.signIn(scene.ada)
  scene.world.clock.advance(30)
  return scene
}

/**
 * @param test The test.
 * @returns Somebody at the second door.
 */
export async function behindPassword(test: TestContext): Promise<Scene> {
  const scene = await outside(test)
  await scene.browser.password(scene.ada)
  return scene
}

/** A form that is sent twice. */
export interface SentTwice {
  /** Where it goes. */
  readonly path: string
  /** What it is filled in with, as its page was shown. */
  readonly fields: Readonly<Record<string, string>>
  /** What the second request accepts. */
  readonly accept: string
}

type Asked = Parameters<StepUp['missing']>

/**
 * Sends a form twice. The second one passes every guard before the step-up while the first one has done nothing yet, and waits there
 * until it has.
 *
 * @param test The test.
 * @param browser A browser that has proven lately what the form asks for.
 * @param form The form.
 * @returns Both responses.
 */
export async function sendAroundStepUp(
  test: TestContext,
  browser: Browser,
  { path, fields, accept }: SentTwice,
): Promise<readonly [Page, Page]> {
  const { missing } = StepUp.prototype
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const both: Promise<Page>[] = []
  let asked = 0
  const mock = test.mock.method(StepUp.prototype, 'missing', async function (this: StepUp, ...given: Asked) {
    asked += 1
    if (asked === 1) {
      first.resolve()
      await second.promise
    } else if (asked === 2) {
      second.resolve()
      await both[0]
    }
    return missing.apply(this, given)
  })
  both.push(browser.submit(path, fields))
  await first.promise
  // One that never comes to the step-up must not hold up the first one.
  both.push(browser.submit(path, fields, { headers: { accept } }).finally(second.resolve))
  const pages = await Promise.all(both)
  mock.mock.restore()
  return pages as [Page, Page]
}
