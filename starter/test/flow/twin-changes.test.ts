import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '../support.ts'
import { addFactor, ADD, type Owner, pathOf, SECURITY, signedIn, withSecretOf } from './security-steps.ts'
import { addPasskey, NEW_PASSKEY } from './passkey-steps.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { confirm } from './step-up-steps.ts'

const DELAYS = [0, 2, 8]
const ROUNDS = 3

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
  'a passkey': async ({ browser }) => {
    const { html } = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(html)
    return { path: NEW_PASSKEY, fields: { label: 'Key', response } }
  },
  'the removal of a passkey': async ({ world, person, browser }) => {
    await addPasskey(browser, 'Key')
    const [passkey] = await world.identity.passkeys.list(person.id)
    return { path: `/account/passkeys/${passkey?.id ?? ''}/remove` }
  },
  'a change of address': async ({ world, browser }) => {
    await browser.open('/account/address')
    await browser.submit('/account/address', { email: 'ada@new.example.test' })
    const mail = world.mailbox.list().find(({ to }) => to === 'ada@new.example.test')
    return { path: /https:\/\/app\.test(\/address\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '' }
  },
}

/** Opens pages in another tab, one every moment, until the work is done. */
async function browsing(browser: Browser, work: Promise<Page>): Promise<readonly number[]> {
  const tab = browser.twin()
  const opened: Promise<Response>[] = []
  const isDone = work.then(() => true)
  while (!(await Promise.race([isDone, pause(1, false)]))) opened.push(tab.client.get(SECURITY))
  return (await Promise.all(opened)).map(({ status }) => status)
}

for (const [name, fill] of Object.entries(CHANGES))
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

describe('a passkey that was added while its session could not be written', () => {
  it('leaves the session signed in, and the next passkey is asked for anew [RA-2703 RA-3001]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const { html } = await browser.open(NEW_PASSKEY)
    const response = new SoftwareAuthenticator().register(html)
    test.mock.method(world.store, 'rotate', () => Promise.reject(new Error('no disk')), { times: 1 })

    const failed = await browser.submit(NEW_PASSKEY, { label: 'Key', response })

    assert.equal(failed.status, 503)
    assert.equal(await browser.isSignedIn(), true)
    await confirm(world, browser, { person, path: NEW_PASSKEY })
    await addPasskey(browser, 'Other')
    assert.equal((await world.identity.passkeys.list(person.id)).length, 2)
  })
})
