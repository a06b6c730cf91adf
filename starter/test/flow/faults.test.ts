import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { beforeStatements } from 'sallyport-app/testing/sql'
import { personOf, type Request, signedInOwner } from '../crash/deed.ts'
import { DEEDS, LOGINS, PASSWORDS } from '../crash/deeds.ts'
import { ledgerOf } from '../crash/ledger.ts'
import { databases } from '../databases.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, World } from '../support.ts'
import { DOOR } from './steps.ts'

const [, WITH_FACTOR] = PASSWORDS
const [TOTP] = LOGINS
const SIGN_INS = DEEDS.filter(({ signsIn }) => signsIn === true)

// What takes something away does so even when it cannot be recorded.
const ENDS: readonly Request[] = [
  { ...TOTP, name: 'cancelling', act: (browser) => browser.submit(`${DOOR}/cancel`) },
  {
    name: 'signing out',
    async prepare(world) {
      const { browser, person } = await signedInOwner(world)
      await browser.open('/account')
      return { browser, facts: { email: person.email, secret: person.secret?.reveal() ?? '' } }
    },
    act: (browser) => browser.submit('/logout'),
  },
]
const MISTAKES: readonly Request[] = [
  {
    ...WITH_FACTOR,
    name: 'a wrong password',
    act: (browser, { email = '' }) => browser.submit('/login', { email, password: 'wrong' }),
  },
  {
    ...TOTP,
    name: 'a wrong code',
    act: async (browser, facts, world) =>
      browser.submit(DOOR, { code: await world.wrongCode(personOf(facts)) }),
  },
]

/** What a browser holds: who it is signed in as, and whether a login waits for its code. */
async function held(browser: Browser): Promise<{ readonly identity: unknown; readonly isPending: boolean }> {
  const session = browser.sessionId === undefined ? {} : await browser.session()
  return { identity: session['_auth'], isPending: '_2fa' in session }
}

async function ready(test: TestContext, { prepare, act }: Request) {
  const world = await World.create(test, ofParts('settings'))
  const { browser, facts } = await prepare(world)
  return { world, browser, facts, send: async () => (await act(browser, facts, world))?.status ?? 200 }
}

// The sessions are elsewhere. Mails have a test of their own: who sends one waits until it can be deleted.
const NOT_BROKEN = /^(?:sallyport_\w+|mail)?$/

/** The operations on tables of accounts that a request comes to. */
async function writesOf(test: TestContext, request: Request): Promise<ReadonlySet<string>> {
  const { send } = await ready(test, request)
  const writes = new Set<string>()
  beforeStatements(({ text }) => {
    const [, operation = '', table = ''] =
      /^\s*(insert|update|delete)\W(?:into |from )?"?(\w+)/i.exec(text) ?? []
    if (!NOT_BROKEN.test(table)) writes.add(`${operation.toUpperCase()} ${table}`)
  })
  await send()
  beforeStatements(undefined)
  return writes
}

describe('a failure of the accounts database', () => {
  for (const request of [...PASSWORDS, ...SIGN_INS, ...MISTAKES, ...ENDS])
    it(`in ${request.name} leaves nothing half done, whichever table fails [R-23 HOLD-20]`, async (test) => {
      let failed = 0
      for (const write of await writesOf(test, request)) {
        const [operation = '', table = ''] = write.split(' ')
        const { world, browser, facts, send } = await ready(test, request)
        const [before, ledger] = [await held(browser), await ledgerOf(world.database)]
        const mend = await databases.breakTable(world.database, table, { operation })

        const status = await send()

        await mend()
        if (status < 500) continue
        failed += 1
        const [after, what] = [await held(browser), `${write}: ${status}`]
        assert.ok(after.identity === undefined || after.identity === before.identity, what)
        assert.ok(!after.isPending || before.isPending, what)
        if (ENDS.includes(request)) assert.deepEqual(after, { identity: undefined, isPending: false }, what)
        assert.deepEqual(await ledgerOf(world.database), ledger, what)
        // Once the fault is over a login goes through.
        world.clock.advance(60)
        assert.equal((await world.browser().signIn(personOf(facts))).location, '/account', what)
      }
      assert.ok(failed > 0, 'no fault was ever met')
    })
})
