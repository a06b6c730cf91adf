/** Changes of credentials beside another request of the same session. @module */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '../support.ts'
import { type Owner, SECURITY, signedIn } from './security-steps.ts'

const DELAYS = [0, 2, 8]
const ROUNDS = 3

/** A form that is filled in. */
export interface Filled {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

/** What changes the credentials of an account, and how its form is filled in by somebody who has just signed in. */
export type Changes = Readonly<Record<string, (owner: Owner) => Promise<Filled>>>

/** Opens pages in another tab, one every moment, until the work is done. */
async function browsing(browser: Browser, work: Promise<Page>): Promise<readonly number[]> {
  const tab = browser.twin()
  const opened: Promise<Response>[] = []
  const isDone = work.then(() => true)
  do opened.push(tab.client.get(SECURITY))
  while (!(await Promise.race([isDone, pause(1, false)])))
  return (await Promise.all(opened)).map(({ status }) => status)
}

/**
 * @param changes The changes.
 */
export function testTwinChanges(changes: Changes): void {
  for (const [name, fill] of Object.entries(changes))
    describe(`${name}, and another request of the same session`, () => {
      it('a page that is opened meanwhile ends no session [RA-3001]', async (test) => {
        for (let round = 0; round < ROUNDS; round++) {
          const owner = await signedIn(test)
          const { browser } = owner
          const { path, fields } = await fill(owner)
          await browser.open(path)

          const work = browser.submit(path, fields)
          const statuses = await browsing(browser, work)

          assert.ok(statuses.length > 0)
          assert.ok([200, 303].includes((await work).status))
          assert.equal(await browser.isSignedIn(), true)
        }
      })

      for (const delay of DELAYS)
        it(`the same form a second time, ${delay} ms later, ends no session [RA-3001]`, async (test) => {
          const owner = await signedIn(test)
          const { browser } = owner
          const { path, fields } = await fill(owner)
          const { html } = await browser.open(path)
          const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

          const first = browser.submit(path, { ...fields, _csrf: token })
          await pause(delay)
          await Promise.all([first, browser.submit(path, { ...fields, _csrf: token })])

          assert.equal(await browser.isSignedIn(), true)
        })
    })
}
