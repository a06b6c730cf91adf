import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { CHANGED_SECONDS } from '../../identity/step-up/changed-password.ts'
import type { Browser, Page } from '../support.ts'
import { addFactor, ADD, type Owner, pathOf, SECURITY, signedIn, withSecretOf } from './security-steps.ts'
import { addPasskey, NEW_PASSKEY } from './passkey-steps.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { confirm } from './step-up-steps.ts'

const DELAYS = [0, 1, 2, 4, 8, 16]
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
    it('RA-3001: a page that is opened meanwhile ends no session', async (test) => {
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
      it(`RA-3001: the same form a second time, ${delay} ms later, ends no session`, async (test) => {
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

const PASSWORD_PAGE = '/account/password'
const NEW_PASSWORD = 'four ladders lean on the wall'

describe('the form of a new password, sent three times', () => {
  for (const delay of [0, 1, 4, 16, 64, Infinity])
    it(`RA-2801: the last answer leads to a page that says that it is done, ${delay === Infinity ? 'one after the other' : `${delay} ms apart`}`, async (test) => {
      const { world, browser, person } = await signedIn(test)
      const { html } = await browser.open(PASSWORD_PAGE)
      const _csrf = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

      const sent: Promise<Page>[] = []
      for (let time = 0; time < 3; time++) {
        const page = browser.submit(PASSWORD_PAGE, { password: NEW_PASSWORD, _csrf })
        sent.push(page)
        await (delay === Infinity ? page : pause(delay))
      }
      const last = (await Promise.all(sent)).at(-1)
      const shown = await browser.open(last?.location ?? '')

      assert.equal(last?.location, SECURITY)
      assert.match(shown.html, /Your (password was|password has just been|sign-in data has just) changed/)
      const changes = (await world.events(person)).filter((kind) => kind === 'password-changed')
      assert.equal(changes.length, 1)
      assert.equal(await browser.isSignedIn(), true)
      assert.deepEqual(world.faults, [])
    })

  it('RA-2801: says so also while the first one has not written its session yet', async (test) => {
    const { world, browser } = await signedIn(test)
    const { html } = await browser.open(PASSWORD_PAGE)
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const [held, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const rotate = world.store.rotate.bind(world.store)
    const mock = test.mock.method(world.store, 'rotate', async (...given: Parameters<typeof rotate>) => {
      held.resolve()
      await go.promise
      return rotate(...given)
    })
    const first = browser.submit(PASSWORD_PAGE, { password: NEW_PASSWORD, _csrf })
    await held.promise

    const second = await browser.submit(PASSWORD_PAGE, { password: NEW_PASSWORD, _csrf })

    go.resolve()
    mock.mock.restore()
    assert.deepEqual([(await first).location, second.location], [SECURITY, SECURITY])
    assert.match((await browser.open(SECURITY)).html, /Your (password was|sign-in data has just) changed/)
    assert.equal(await browser.isSignedIn(), true)
    assert.deepEqual(world.faults, [])
  })

  it('RA-2801: says so for some minutes, and a page that is opened asks to confirm', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const { html } = await browser.open(PASSWORD_PAGE)
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await browser.submit(PASSWORD_PAGE, { password: NEW_PASSWORD, _csrf })
    const program = { headers: { accept: 'application/json' } }

    const opened = await browser.open(PASSWORD_PAGE)
    const told = await browser.submit(PASSWORD_PAGE, { password: 'another one, in another tab', _csrf })
    const refused = await browser.submit(PASSWORD_PAGE, { password: NEW_PASSWORD, _csrf }, program)
    world.clock.advance(CHANGED_SECONDS)
    const later = await browser.submit(PASSWORD_PAGE, { password: NEW_PASSWORD, _csrf })

    assert.match(opened.location ?? '', /^\/account\/confirm/)
    assert.equal(told.location, SECURITY)
    // Whether a program sends a copy cannot be known, and it is told what to do.
    assert.deepEqual([refused.status, /ERR_STARTER_STEP_UP_REQUIRED/.test(refused.html)], [403, true])
    assert.match(later.location ?? '', /^\/account\/confirm/)
    assert.equal((await world.events(person)).filter((kind) => kind === 'password-changed').length, 1)
  })
})

describe('a passkey that was added while its session could not be written', () => {
  it('RA-2703, RA-3001: leaves the session signed in, and the next passkey is asked for anew', async (test) => {
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
