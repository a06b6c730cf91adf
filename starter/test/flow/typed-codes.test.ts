import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DOORS_OF_PARTS, WITH_CODE } from '../crash/deeds.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Page, World } from '../support.ts'
import { atDoor, DOOR, ownerOf } from './steps.ts'

const NO_SIX_DIGITS = ['', ' ', 'no', '12345', '1234567', '12345a', '1'.repeat(10_000), '-123.45', 'Ⅻ3456']
const NO_RECOVERY_CODES = ['no', '123456', 'ABCD-EFGH', 'ABCD-EFGH-JKMU', 'ABCD-EFGH-JKMN-PQRS']
const SIX_DIGITS = /id="code-error">(?:Fill in|Six digits are needed)/
const TWELVE = /id="code-error">A recovery code has twelve letters and digits/

/** All that is counted, recorded or mailed. */
async function traces({ database, mailbox }: World): Promise<unknown> {
  return {
    attempts: await database.selectFrom('attempt').selectAll().execute(),
    challenges: await database.selectFrom('challenge').selectAll().execute(),
    events: await database.selectFrom('event').select('id').execute(),
    mails: mailbox.list().length,
  }
}

const CLAUSES: Readonly<Record<string, string>> = {
  'a code of the authenticator': '[RA-0404 FLOW-28 FLOW-30]',
  'a recovery code': '[RA-0603 RA-0404]',
  'a code at a step-up': '[RA-1402 RA-1401]',
  'the first code of an enrollment': '[RA-0902 FACTOR-26]',
  'a further authenticator': '[RA-1101 FACTOR-26]',
}

describe('what cannot be a code', () => {
  for (const { name, prepare, act } of WITH_CODE)
    it(`is refused at once, and is no attempt: ${name} ${CLAUSES[name]}`, async (test) => {
      const world = await World.create(test)
      const { browser, facts } = await prepare(world)
      const before = await traces(world)
      const [typed, said] =
        name === 'a recovery code' ? [NO_RECOVERY_CODES, TWELVE] : [NO_SIX_DIGITS, SIX_DIGITS]

      for (const code of typed) {
        const page = await act(browser, { ...facts, code }, world)
        assert.equal(page?.status, 422, code)
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

// As it is copied from a mail, a chat or a page that is written from right to left, in the digits of another script. The unit tests
// of `typedCode` have all of that.
function pasted(code: string): string {
  const shape = `\u2066 ${code.slice(0, 3)}\u2011\u00a0${code.slice(3).toLowerCase()}\n\uFEFF`
  return shape.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
}

const TYPED = DOORS_OF_PARTS.filter(({ name }) => 'code' in (ofParts('doors')[name]?.wrong ?? {}))

describe('a right code, as it is pasted', () => {
  for (const { name, prepare, act } of [...WITH_CODE, ...TYPED])
    it(`is read wherever one is asked for: ${name} [MEND-13 RA-2806]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const { browser, facts } = await prepare(world)

      const page = await act(browser, { ...facts, code: pasted(facts['code'] ?? '') }, world)

      assert.ok(page?.status === 303 || page?.status === 200, String(page?.status))
      assert.doesNotMatch(page.location ?? '', /^\/login/)
    })
})
