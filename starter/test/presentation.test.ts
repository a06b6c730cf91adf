import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditSummary } from '../identity/audit/audit-trail.ts'
import { toEventLines } from '../modules/presentation.ts'

const GUESS: AuditSummary = {
  at: 1_767_225_600,
  kind: 'password-refused',
  accountId: null,
  clientAddress: '192.0.2.1',
  name: null,
  times: 1,
  clients: 1,
  accounts: 0,
}

describe('toEventLines()', () => {
  const cases: readonly (readonly [event: Partial<AuditSummary>, text: string, from: string])[] = [
    [{}, 'Unknown address: wrong password', '192.0.2.1'],
    [{ times: 3, clients: 2 }, 'Unknown address: wrong password (3 times)', '192.0.2.1 and 1 other address'],
    [
      { times: 500, clients: 9, name: 'Ada', accounts: 1 },
      'Ada: wrong password (500 times or more)',
      '192.0.2.1 and 8 other addresses',
    ],
    [
      { name: 'Ada', accounts: 2, times: 2 },
      'Ada and 1 other account: wrong password (2 times)',
      '192.0.2.1',
    ],
    [
      { name: 'Ada', accounts: 4, times: 4, clientAddress: '' },
      'Ada and 3 other accounts: wrong password (4 times)',
      'address unknown',
    ],
  ]
  for (const [event, text, from] of cases) {
    it(`says "${text}" from "${from}"`, () => {
      const [line] = toEventLines([{ ...GUESS, ...event }], { named: true })

      assert.deepEqual(line, {
        text,
        from,
        time: { iso: '2026-01-01 00:00:00Z', text: '1 Jan 2026, 00:00 UTC' },
      })
    })
  }

  it('names nobody in a list of one account', () => {
    const [line] = toEventLines([{ ...GUESS, name: 'Ada', accounts: 1, times: 2 }], { named: false })

    assert.equal(line?.text, 'Wrong password (2 times)')
  })
})
