import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Mails } from '../../../core/mail/mails.ts'
import type { Notice, NoticeKind, NoticeValues } from '../../../core/mail/notices.ts'
import { type Language, LANGUAGES } from '../../../core/messages/language.ts'
import { PARTS } from '../../../parts.ts'
import { catalogues } from '../../catalogues.ts'
import { ofParts } from '../../facts-of-parts.ts'
import { IN_OTHER, needsTwo, OTHER, saidInOther } from '../../languages.ts'
import { World } from '../../support.ts'

const OF_CORE: Partial<NoticeValues> = {
  'new-sign-in': {
    device: { id: 'device.unknown' },
    place: { id: 'device.place', values: { place: '192.0.2.0/24' } },
  },
  'factor-refused': null,
  'factor-refused-by-link': null,
  'factor-added': { label: 'My phone' },
  'factor-removed': { label: 'My phone' },
  'last-factor-removed': { label: 'My phone' },
  'factor-locked': {
    factor: { id: 'factor.totp', values: { label: 'My phone' } },
    minutes: 15,
  },
  'recovery-code-used': { left: 9 },
  'recovery-codes-renewed': null,
  'password-changed': null,
  'password-reset': null,
  'sessions-ended': null,
}
// Those of parts, too.
const ALL = { ...OF_CORE, ...ofParts('notices') } as NoticeValues
// Every mail says what to do if it was somebody else: behind a link where a part makes one, or by hand, or whom to ask.
const OBJECTION = PARTS.some(({ objectionLinks }) => objectionLinks)
  ? /open this link to sign out every session[^]*\/not-me\/|ask the administrator/i
  : /sign out every session|ask the administrator/i
const KINDS = Object.keys(ALL) as readonly NoticeKind[]

async function withAda(world: World, language: Language): Promise<string> {
  const { users } = world.identity
  const email = `ada@${language}.example.test`
  return users.add({ email, name: 'Ada', passwordHash: null, language }, world.clock)
}

describe('Notices.tell()', () => {
  it('is tried here with every notice that has words', () => {
    const words = Object.keys(catalogues.en.messages)
    const kinds = words.flatMap((id) => /^notice\.(.+)\.subject$/.exec(id)?.[1] ?? [])

    assert.deepEqual(kinds.toSorted(), KINDS.toSorted())
  })

  it('words each in the language of the account [RA-2401 RA-3101]', async (test) => {
    const world = await World.create(test)
    const time = world.clock.timestamp()
    const ofAda = await Promise.all(
      LANGUAGES.map(async (language) => [language, await withAda(world, language)] as const),
    )
    for (const kind of KINDS) {
      const texts: string[] = []
      for (const [language, accountId] of ofAda) {
        const [last] = world.mailbox.list()
        await world.identity.tell({ kind, accountId, values: ALL[kind] } as Notice)

        const [mail, before] = world.mailbox.list()
        assert.ok(mail !== undefined, kind)
        assert.deepEqual(before, last, 'one mail tells it')
        assert.equal(mail.to, `ada@${language}.example.test`)
        const hello = catalogues[language].messages['notice.hello']?.replace('{name}', 'Ada')
        assert.ok(mail.text.startsWith(`${hello}\n\n`), kind)
        assert.ok(mail.text.includes(`${world.app.get(Mails).time(time, language)} UTC`), kind)
        for (const value of Object.values(ALL[kind] ?? {}))
          if (typeof value !== 'object') assert.ok(mail.text.includes(String(value)), kind)
        if (language === 'en') assert.match(mail.text, OBJECTION)
        assert.doesNotMatch(mail.subject + mail.text, /[{}]|undefined/)
        texts.push(mail.subject, mail.text)
      }
      assert.equal(new Set(texts).size, 2 * LANGUAGES.length, kind)
    }
  })

  it('keeps what people and browsers chose on one line, and short [RA-2401]', async (test) => {
    const world = await World.create(test)
    const id = await withAda(world, 'en')
    const label = `${'x'.repeat(70)}\r\n\u2028\u0000Open https://evil.test at once`

    await world.identity.tell({ kind: 'factor-added', accountId: id, values: { label } })

    const [mail] = world.mailbox.list()
    assert.match(mail?.text ?? '', /“x{70} Open http…”/)
  })
})

describe('the language of an account', needsTwo, () => {
  it('is the one of the pages at sign-up, and that of the mails from then on [RA-3101]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    await browser.open('/sign-up', IN_OTHER)
    await browser.submit('/sign-up', { email: 'eva@example.test' }, IN_OTHER)
    const link = /https:\/\/app\.test(\/\S+)/.exec(world.mailbox.list()[0]?.text ?? '')?.[1] ?? ''
    await browser.open(link, IN_OTHER)
    await browser.submit(link, { name: 'Eva', password: 'zwei Türen und ein Tor' }, IN_OTHER)
    const eva = await world.identity.users.findByEmail('eva@example.test')

    await world.identity.tell({ kind: 'password-changed', accountId: eva?.id ?? '' })

    assert.equal(world.mailbox.list()[0]?.subject, saidInOther('notice.password-changed.subject'))
  })

  it('changes when a signed-in user chooses one, and only for that account [RA-3101]', async (test) => {
    const world = await World.create(test)
    const [ada, bob] = [await world.person('ada'), await world.person('bob')]
    const browser = world.browser()
    const choose = async (language: string): Promise<void> => {
      await browser.send('/language', { language })
    }
    const subject = async (id: string): Promise<string | undefined> => {
      await world.identity.tell({ kind: 'password-changed', accountId: id })
      return world.mailbox.list()[0]?.subject
    }

    await choose(OTHER)
    assert.equal(await subject(ada.id), 'Your password was changed')
    await browser.signIn(ada)
    await choose('xx')
    assert.equal(await subject(ada.id), 'Your password was changed')
    await choose(OTHER)

    assert.equal(await subject(ada.id), saidInOther('notice.password-changed.subject'))
    assert.equal(await subject(bob.id), 'Your password was changed')
  })
})
