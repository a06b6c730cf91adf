import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditSummary } from 'sallyport-app/audit'
import { createTranslator } from '../core/messages/catalogue.ts'
import { LANGUAGES } from '../core/messages/language.ts'
import { toErrorPage } from '../core/pages/layout-engine.ts'
import { dateOf, type PageMessage, toEventLines, toMoment } from '../core/pages/presentation.ts'
import { PARTS } from '../parts.ts'
import { OTHER } from './languages.ts'

const GUESS: AuditSummary = {
  at: 1_767_225_600,
  kind: 'password-refused',
  accountId: null,
  clientAddress: '192.0.2.1',
  name: null,
  actor: null,
  challengeId: null,
  times: 1,
  clients: 1,
  accounts: 0,
}

const translator = createTranslator(PARTS)
const say = (message: PageMessage | undefined, language = 'en'): string =>
  message === undefined ? '' : translator.translate(language, message)

describe('toEventLines()', () => {
  for (const [event, who, times, from] of [
    [{}, 'Unknown address', '', '192.0.2.1'],
    [{ times: 3, clients: 2 }, 'Unknown address', '(3 times)', '192.0.2.1 and 1 other address'],
    [
      { times: 500, clients: 9, name: 'Ada', accounts: 1 },
      'Ada',
      '(500 times or more)',
      '192.0.2.1 and 8 other addresses',
    ],
    [{ name: 'Ada', accounts: 2 }, 'Ada and 1 other account', '', '192.0.2.1'],
    [{ name: 'Ada', accounts: 4, clientAddress: '' }, 'Ada and 3 other accounts', '', 'address unknown'],
  ] as const)
    it(`says "${who}" "${times}" from "${from}", and names nobody in a list of one account`, () => {
      const [line] = toEventLines([{ ...GUESS, ...event }], { named: true, locale: 'en' })
      const [own] = toEventLines([{ ...GUESS, ...event }], { named: false, locale: 'en' })

      assert.deepEqual(
        [say(line?.who), say(line?.what), say(line?.times), say(line?.from)],
        [who, 'Wrong password', times, from],
      )
      assert.equal(own?.who, undefined)
    })
})

describe('toMoment()', () => {
  it('gives a time in UTC as a reader of the language expects it, with the exact time beside it [RA-3102]', () => {
    const [english, other] = [toMoment(GUESS.at + 61, 'en'), toMoment(GUESS.at + 61, OTHER)]
    const never = toMoment(null, 'en')

    assert.deepEqual([english.iso, english.exact], ['2026-01-01T00:01:01Z', '2026-01-01 00:01:01 UTC'])
    assert.equal(say(english.text), '1 Jan 2026, 00:01 UTC')
    assert.equal(say(other.text, OTHER), `${dateOf(GUESS.at, OTHER)}, 00:01 UTC`)
    assert.equal(new Set([say(english.text), say(other.text, OTHER)]).size, LANGUAGES.slice(0, 2).length)
    assert.deepEqual([never.iso, say(never.text)], ['', 'Never'])
  })
})

describe('toErrorPage()', () => {
  for (const status of [400, 405, 418, 500, 502, 503])
    it(`says of a ${status} what to do next, and nothing of the error's own text`, () => {
      const { title, text } = toErrorPage({ status, title: 'A fault', message: 'No method for table x' })
      const said = `${say({ id: title })} ${say({ id: text })}`

      assert.match(said, /[Tt]ry again in a moment|use the button|try once more/)
      assert.doesNotMatch(said, /fault|method|table|error\./i)
    })
})
