import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditSummary } from 'sallyport-app/audit'
import { eventLines, type PageMessage } from 'sallyport-app/pages'
import { createTranslator } from '../core/messages/catalogue.ts'
import { TIMES } from '../core/messages/language.ts'
import { PARTS } from '../parts.ts'

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
const toMoment = (timestamp: number) => TIMES.moment(timestamp, 'en')

describe('a list of events', () => {
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
      const [line] = eventLines([{ ...GUESS, ...event }], { named: true, toMoment })
      const [own] = eventLines([{ ...GUESS, ...event }], { named: false, toMoment })

      assert.deepEqual(
        [say(line?.who), say(line?.what), say(line?.times), say(line?.from)],
        [who, 'Wrong password', times, from],
      )
      assert.equal(own?.who, undefined)
    })
})

describe('an error page', () => {
  for (const status of [400, 405, 500, 503])
    it(`says of a ${status} what to do next`, () => {
      const said = `${say({ id: `error.${status}.title` })} ${say({ id: `error.${status}.text` })}`

      assert.match(said, /[Tt]ry again in a moment|use the button|try once more/)
      assert.doesNotMatch(said, /error\./)
    })
})
