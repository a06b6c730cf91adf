import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditSummary } from '../core/audit/audit-trail.ts'
import { createTranslator } from '../core/messages/catalogue.ts'
import { PARTS } from '../parts.ts'
import { type PageMessage, toEventLines, toMoment } from '../core/pages/presentation.ts'

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
const say = (message: PageMessage | undefined): string =>
  message === undefined ? '' : translator.translate('en', message)

describe('toEventLines()', () => {
  const cases: readonly (readonly [
    event: Partial<AuditSummary>,
    who: string,
    times: string,
    from: string,
  ])[] = [
    [{}, 'Unknown address', '', '192.0.2.1'],
    [{ times: 3, clients: 2 }, 'Unknown address', '(3 times)', '192.0.2.1 and 1 other address'],
    [
      { times: 500, clients: 9, name: 'Ada', accounts: 1 },
      'Ada',
      '(500 times or more)',
      '192.0.2.1 and 8 other addresses',
    ],
    [{ name: 'Ada', accounts: 2, times: 2 }, 'Ada and 1 other account', '(2 times)', '192.0.2.1'],
    [
      { name: 'Ada', accounts: 4, times: 4, clientAddress: '' },
      'Ada and 3 other accounts',
      '(4 times)',
      'address unknown',
    ],
  ]
  for (const [event, who, times, from] of cases) {
    it(`says "${who}" "${times}" from "${from}"`, () => {
      const [line] = toEventLines([{ ...GUESS, ...event }], { named: true, locale: 'en' })

      assert.deepEqual(
        [say(line?.who), say(line?.what), say(line?.times), say(line?.from)],
        [who, 'Wrong password', times, from],
      )
    })
  }

  it('names nobody in a list of one account', () => {
    const [line] = toEventLines([{ ...GUESS, name: 'Ada', accounts: 1, times: 2 }], {
      named: false,
      locale: 'en',
    })

    assert.equal(line?.who, undefined)
  })
})

describe('toMoment()', () => {
  it('gives a time in UTC as a reader of the language expects it, with the exact time beside it [RA-3102]', () => {
    const english = toMoment(GUESS.at + 61, 'en')
    const german = toMoment(GUESS.at + 61, 'de')

    assert.deepEqual(
      [english.iso, english.exact, say(english.text)],
      ['2026-01-01T00:01:01Z', '2026-01-01 00:01:01 UTC', '1 Jan 2026, 00:01 UTC'],
    )
    assert.equal(translator.translate('de', german.text), '1. Jan. 2026, 00:01 UTC')
  })

  it('says that there is none', () => {
    const never = toMoment(null, 'en')

    assert.deepEqual([never.iso, say(never.text)], ['', 'Never'])
  })
})
