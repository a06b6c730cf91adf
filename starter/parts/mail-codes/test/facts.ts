import type { Scene } from '../../../test/browser/stage.ts'
import type { Telling } from '../../../test/crash/deed.ts'
import type { Door, PartFacts } from '../../../test/facts-of-parts.ts'
import { MAIL_CODE_LIMIT } from '../mail-codes.ts'
import { addFailures } from '../../../test/failures.ts'

const door: Door = {
  kind: 'mail',
  page: '/mail-code',
  async prove(browser, world) {
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    await browser.open('/mail-code')
    const mail = world.mailbox.list().find(({ subject }) => subject === 'Your code for signing in')
    return { code: /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? '' }
  },
  wrong: { code: '0000 0000' },
}

const mailCode: Scene = {
  name: 'a code by mail',
  shows: ['/mail-code', '/login/2fa'],
  options: { mailCodes: true },
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.enterPassword(visit, ada)
    await stage.look(visit, 'challenge-with-mail')
    await stage.show(visit, '/mail-code', 'mail-code')
    await stage.press(visit, 'Send a code', 'mail-code-sent')
    await visit.enterCode('00000000')
    await stage.look(visit, 'mail-code-refused')
    for (let sent = 0; sent < 5; sent += 1) await visit.click('button', 'Send another code')
    await stage.look(visit, 'mail-code-429')
    const { id } = ada
    const { database, clock } = stage.world
    const failed = { times: MAIL_CODE_LIMIT.failures, at: clock.timestamp() }
    await database.deleteFrom('attempt').where('subject', '=', MAIL_CODE_LIMIT.of(id).subject).execute()
    await addFailures(database, [MAIL_CODE_LIMIT.of(id)], failed)
    await stage.show(visit, '/mail-code', 'mail-code-locked')
  },
}

const sending: Telling = {
  name: 'a code by mail',
  async prepare(world) {
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/mail-code')
    return { browser, facts: {} }
  },
  act: (browser) => browser.submit('/mail-code/send'),
}

/** What the tests of the core know of it. */
export const facts: PartFacts = {
  switches: { MAIL_CODES: 'codes by mail' },
  malformed: { MAIL_CODES: ['on'] },
  settings: { mailCodes: true },
  scenes: [mailCode],
  tellings: [sending],
  doors: { 'a code by mail': door },
  waysIn: {
    'code by email, only in an installation with `MAIL_CODES=1`': {
      route: 'POST /mail-code',
      proves:
        'the password within the last 300 seconds, in this session, and the mailbox, by a code that was sent for this pending login and is used up',
      skips:
        'the enrolled factor, which is why it is off by default: a mailbox is weaker. It is never offered to an account with a rule about factors, nor within 30 days after a link in an email set the password. It proves no factor: protected actions require one, and a pending recovery or reset continues',
    },
  },
  beside: {
    'GET /mail-code': 'shows the form, in an installation with `MAIL_CODES=1`',
    'POST /mail-code/send': 'sends a code for this pending login; an earlier one no longer works',
  },
  notices: { 'sign-in-code': { code: '1234 5678', minutes: 5 } },
  lists: { mail_code: 'expires' },
}
