import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '../support.ts'
import { addFactor, ADD, type Owner, pathOf, SECURITY, signedIn, withSecretOf } from './security-steps.ts'

/** A form that is filled in. */
interface Filled {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

/** What changes the credentials of an account, and how its form is filled in by somebody who has just signed in. */
const CHANGES: Readonly<Record<string, (owner: Owner) => Promise<Filled>>> = {
  'a change of password': async () => ({
    path: '/account/password',
    fields: { password: 'four ladders lean on the wall' },
  }),
  'new recovery codes': async () => ({ path: '/account/recovery-codes' }),
  'another authenticator': async ({ world, browser, person }) => {
    const added = withSecretOf(person, await browser.open(ADD))
    return { path: ADD, fields: { label: 'Tablet', code: await world.code(added) } }
  },
  'the removal of an authenticator': async (owner) => {
    await addFactor(owner, 'Tablet')
    return { path: await pathOf(owner, 'remove') }
  },
}

describe('a change of credentials, and other requests of the same session', () => {
  for (const [name, fill] of Object.entries(CHANGES))
    it(`${name}: neither the same form again nor pages of another tab end the session [RA-3001]`, async (test) => {
      for (const delay of [0, 2, 8]) {
        const owner = await signedIn(test)
        const { browser } = owner
        const { path, fields } = await fill(owner)
        const { html } = await browser.open(path)
        const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
        const tab = browser.twin()

        const first: Promise<Page> = browser.submit(path, { ...fields, _csrf: token })
        const looked = tab.client.get(SECURITY)
        await pause(delay)
        const second = browser.submit(path, { ...fields, _csrf: token })
        const [made] = await Promise.all([first, second, looked, tab.client.get(SECURITY)])

        assert.ok([200, 303].includes(made.status), `${delay} ms: ${made.status}`)
        assert.equal(await browser.isSignedIn(), true, `${delay} ms`)
      }
    })
})
