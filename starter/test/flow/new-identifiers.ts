/** What steps of a session must do that let it do more. @module */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import type { Browser, Page } from '../support.ts'

/** A browser that stands before a step, and the form that takes it. */
export interface Step {
  readonly browser: Browser
  /** Sends the form. */
  readonly act: () => Promise<Page | undefined>
}

/** What a step gives, and how to get before it. */
export interface Row {
  /** What the session may do afterwards, and did not before. Empty: it goes on while the other sessions of the account end. */
  readonly gains: readonly string[]
  readonly before: (test: TestContext) => Promise<Step>
}

/** @returns The form of a page, filled in. */
export async function formAt(browser: Browser, path: string, fields = {}): Promise<Step> {
  await browser.open(path)
  return { browser, act: () => browser.submit(path, fields) }
}

/** What an entry of a session lets it do. Proofs count with their time: a newer one is worth more. */
export const RIGHTS: Readonly<
  Record<string, (value: Readonly<Record<string, unknown>>) => readonly string[]>
> = {
  _auth: () => ['signed in'],
  _2fa: () => ['password proven'],
  challenge: ({ by_password: isByPassword }) => (isByPassword === true ? ['password proven'] : []),
  enrollment: ({ link, isProven }) => [
    'sets up a factor',
    ...(link === null ? ['needs no link'] : []),
    ...(isProven === true ? ['new factor proven'] : []),
  ],
  unlocked: () => ['unlocked'],
  ...Object.fromEntries(Object.entries(ofParts('rights')).map(([key, right]) => [key, () => [right]])),
  step_up: ({ password_at: password, factor_at: factor }) => [
    ...(password === null ? [] : [`confirmed the password at ${String(password)}`]),
    ...(factor === null ? [] : [`confirmed a factor at ${String(factor)}`]),
  ],
}

async function rightsOf(browser: Browser): Promise<ReadonlySet<string>> {
  const entries = Object.entries(await browser.session())
  return new Set(
    entries.flatMap(([key, value]) =>
      // The identity is a string, and needs no look into it.
      value === null ? [] : (RIGHTS[key]?.(typeof value === 'object' ? { ...value } : {}) ?? []),
    ),
  )
}

/** @param steps Steps after which a session may do more, or goes on while the others end. */
export function testNewIdentifiers(steps: Readonly<Record<string, Row>>): void {
  describe('a step after which a session may do more', () => {
    for (const [name, { gains, before }] of Object.entries(steps))
      it(`gives it a new identifier, and the one before gets no further: ${name} [MEND-07]`, async (test) => {
        const { browser, act } = await before(test)
        const [known, rights] = [browser.sessionId, await rightsOf(browser)]
        assert.ok(known !== undefined)
        const knowing = browser.twin()

        const page = await act()

        assert.ok(page?.status === 200 || page?.status === 303, String(page?.status))
        // Proofs are told apart by their time, and named without it.
        const more = [...(await rightsOf(browser))].filter((right) => !rights.has(right))
        const gained = more.map((right) => right.replace(/ at \d+$/, ''))
        for (const right of gains) assert.ok(gained.includes(right), `${right}: ${gained.join(', ')}`)
        assert.notEqual(browser.sessionId, known)
        assert.equal(await knowing.isSignedIn(), false)
        assert.equal((await knowing.open('/enroll')).location, '/login')
        assert.equal((await knowing.open('/login/2fa')).location, '/login')
      })
  })
}
