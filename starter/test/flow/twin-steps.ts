/** Two equal forms, sent so that the second one arrives while the first one is at work. @module */
import type { TestContext } from 'node:test'
import { StepUp } from '../../identity/step-up/step-up.ts'
import type { Browser, Page } from '../support.ts'

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
  let first: Promise<unknown> = Promise.resolve()
  let asked = 0
  const mock = test.mock.method(StepUp.prototype, 'missing', async function (this: StepUp, ...given: Asked) {
    asked += 1
    if (asked === 2) await first
    return missing.apply(this, given)
  })
  const sent = browser.submit(path, fields)
  first = sent
  const second = await browser.submit(path, fields, { headers: { accept } })
  mock.mock.restore()
  return [await sent, second]
}
