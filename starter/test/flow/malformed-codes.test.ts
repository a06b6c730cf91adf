import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Page, PASSWORD, World } from '../support.ts'
import { ADD, atDoor, CONFIRM, DOOR, enroll, RECOVERY, signedIn, signUp, enrolled, ownerOf } from './steps.ts'

const NO_SIX_DIGITS = ['', ' ', 'no', '12345', '1234567', '12345a', '1'.repeat(10_000), '-123.45', 'Ⅻ3456']
const NO_RECOVERY_CODES = ['no', '123456', 'ABCD-EFGH', 'ABCD-EFGH-JKMU', 'ABCD-EFGH-JKMN-PQRS']
const SIX_DIGITS = /id="code-error">(?:Fill in|Six digits are needed)/
const TWELVE = /id="(?:recovery_)?code-error">A recovery code has twelve letters and digits/

/** All that is counted, recorded or mailed. */
async function traces({ database, mailbox }: World): Promise<unknown> {
  return {
    attempts: await database.selectFrom('attempt').selectAll().execute(),
    challenges: await database.selectFrom('challenge').selectAll().execute(),
    events: await database.selectFrom('event').select('id').execute(),
    mails: mailbox.list().length,
  }
}

/** A form of a code: what it posts, and the message about what cannot be one. */
interface Place {
  readonly world: World
  readonly post: (code: string) => Promise<Page>
}

interface Form {
  readonly typed: readonly string[]
  readonly said: RegExp
  readonly begin: (test: TestContext) => Promise<Place>
}

const FORMS: Readonly<Record<string, Form>> = {
  'of an app at the second door [RA-0404 FLOW-28 FLOW-30]': {
    typed: NO_SIX_DIGITS,
    said: SIX_DIGITS,
    async begin(test) {
      const world = await World.create(test)
      const browser = await atDoor(world, await world.person('ada', { factor: 'enabled' }))
      return { world, post: (code) => browser.submit(DOOR, { code }) }
    },
  },
  'of the recovery list [RA-0603 RA-0404]': {
    typed: NO_RECOVERY_CODES,
    said: TWELVE,
    async begin(test) {
      const { world, person } = await enrolled(test)
      const browser = await atDoor(world, person, RECOVERY)
      return { world, post: (code) => browser.submit(RECOVERY, { code }) }
    },
  },
  'in a step-up, whatever the password is [RA-1402 RA-1401]': {
    typed: NO_SIX_DIGITS,
    said: SIX_DIGITS,
    async begin(test) {
      const { world, browser } = await signedIn(test)
      world.clock.advance(300)
      await browser.open(CONFIRM)
      return { world, post: (code) => browser.submit(CONFIRM, { password: 'wrong', code }) }
    },
  },
  'of the recovery list in a step-up [RA-1402]': {
    typed: NO_RECOVERY_CODES,
    said: TWELVE,
    async begin(test) {
      const world = await World.create(test)
      const browser = world.browser()
      await enroll(world, browser, 'eve')
      await browser.submit('/enroll/done')
      world.clock.advance(300)
      await browser.open(`${CONFIRM}?with=recovery`)
      const post = (recovery_code: string): Promise<Page> =>
        browser.submit(CONFIRM, { password: PASSWORD, recovery_code })
      return { world, post }
    },
  },
  'of the first app [RA-0902 FACTOR-26]': {
    typed: NO_SIX_DIGITS,
    said: SIX_DIGITS,
    async begin(test) {
      const world = await World.create(test)
      const browser = world.browser()
      await signUp(world, browser, 'eve')
      return { world, post: (code) => browser.submit('/enroll', { code }) }
    },
  },
  'of an app that is added [RA-1101 FACTOR-26]': {
    typed: NO_SIX_DIGITS,
    said: SIX_DIGITS,
    async begin(test) {
      const { world, browser } = await signedIn(test)
      await browser.open(ADD)
      return { world, post: (code) => browser.submit(ADD, { label: 'Tablet', code }) }
    },
  },
}

describe('what cannot be a code', () => {
  for (const [form, { typed, said, begin }] of Object.entries(FORMS))
    it(`${form} is refused at once, and is no attempt`, async (test) => {
      const { world, post } = await begin(test)
      const before = await traces(world)

      for (const code of typed) {
        const page = await post(code)
        assert.equal(page.status, 422, code)
        assert.match(page.html, said)
      }

      assert.deepEqual(await traces(world), before)
    })

  it('gets the same answer whether or not the account is locked [RA-0404 FACTOR-02]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const free = await (await atDoor(world, ada)).submit(DOOR, { code: 'no' })
    const wrong = { code: await world.wrongCode(ada) }
    for (let times = 0; times < 10; times += 1) await (await atDoor(world, ada)).submit(DOOR, wrong)
    const browser = await atDoor(world, ada)
    assert.equal((await browser.submit(DOOR, wrong)).status, 429)
    const before = await traces(world)

    const locked = await browser.submit(DOOR, { code: 'no' })

    const said = (page: Page): string => /id="code-error">([^<]+)/.exec(page.html)?.[1] ?? ''
    assert.deepEqual([locked.status, said(locked)], [free.status, said(free)])
    assert.equal(locked.headers.get('retry-after'), null)
    assert.deepEqual(await traces(world), before)
  })
})
