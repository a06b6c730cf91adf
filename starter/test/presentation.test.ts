import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditRecord } from '../identity/audit-trail.ts'
import { toEventLines } from '../modules/presentation.ts'

const GUESS: AuditRecord = {
  at: 1_767_225_600,
  kind: 'password-refused',
  accountId: null,
  clientAddress: '192.0.2.1',
  name: null,
}
const ALL = { named: true, limit: 20 }

describe('toEventLines()', () => {
  it('makes one line of what happened several times in a row', () => {
    const signIn = { ...GUESS, kind: 'logged-in', accountId: '1', name: 'Ada' }

    const lines = toEventLines([{ ...GUESS, at: GUESS.at + 60 }, GUESS, GUESS, signIn, GUESS], ALL)

    assert.deepEqual(
      lines.map(({ text, time }) => [text, time.text]),
      [
        ['Unknown address: wrong password (3 times)', '1 Jan 2026, 00:01 UTC'],
        ['Ada: signed in', '1 Jan 2026, 00:00 UTC'],
        ['Unknown address: wrong password', '1 Jan 2026, 00:00 UTC'],
      ],
    )
  })

  it('keeps apart what came from another place or to another account of the same name', () => {
    const ada = { ...GUESS, accountId: '1', name: 'Ada' }

    const lines = toEventLines([ada, { ...ada, accountId: '2' }, { ...ada, clientAddress: '' }], ALL)

    assert.deepEqual(
      lines.map(({ from }) => from),
      ['192.0.2.1', '192.0.2.1', 'address unknown'],
    )
  })

  it('counts lines, not events', () => {
    const events = [GUESS, GUESS, { ...GUESS, kind: 'logged-out' }, { ...GUESS, kind: 'logged-in' }]

    const lines = toEventLines(events, { named: false, limit: 2 })

    assert.deepEqual(
      lines.map(({ text }) => text),
      ['Wrong password (2 times)', 'Signed out'],
    )
  })
})
