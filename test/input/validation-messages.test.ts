import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { CORE_TEXTS } from '../../starter/core/messages/language.ts'
import { englishMessage } from '../../src/input/validation-messages.ts'

const GUIDE = readFileSync(new URL('../../docs/input.md', import.meta.url), 'utf8')
const TABLE = /\| message id [^]*?\n\n/.exec(GUIDE)?.[0] ?? ''
const IDS = [...TABLE.matchAll(/^\| ((?:`\w+`(?:, )?)+)/gm)].flatMap(([, ids = '']) =>
  [...ids.matchAll(/\w+/g)].map(([id]) => id),
)
const EVERY = { minimum: 8, maximum: 8, length: 8, divisor: 8, options: 'tea', format: 'x' }

describe('the English messages of violations', () => {
  it('are there for every message id of the guide, with and without parameters [PAGE-03]', () => {
    assert.ok(IDS.length > 20, TABLE)
    for (const id of IDS) {
      if (id === 'invalid') continue
      assert.match(englishMessage(id, {}) ?? '', /^[A-Z][^{}]*[a-z0-9]$/, id)
      assert.match(englishMessage(id, EVERY) ?? '', /^[A-Z][^{}]*[a-z0-9]$/, id)
    }
  })

  it('are there for each of them in every language of the reference application, too [RA-3101]', () => {
    for (const [language, { validation }] of Object.entries(CORE_TEXTS))
      assert.deepEqual(
        IDS.filter((id) => !Object.hasOwn(validation, id)),
        [],
        language,
      )
  })

  for (const [id, parameters, text] of [
    ['too_short', { minimum: 1 }, 'Use at least 1 character'],
    ['too_long', { maximum: 10_000 }, 'Use at most 10,000 characters'],
    ['too_early', { minimum: new Date('2026-01-31T12:00:00Z') }, 'Enter 2026-01-31T12:00:00.000Z or later'],
    ['file_too_large', { maximum: 512 }, 'Choose a file of at most 512 bytes'],
    ['file_too_large', { maximum: 1536 }, 'Choose a file of at most 1.5 KB'],
    ['file_too_large', { maximum: 5 * 1024 * 1024 }, 'Choose a file of at most 5 MB'],
    ['invalid', { expected: 'nice' }, 'This must be nice'],
    ['invalid', {}, undefined],
    ['nothing', {}, undefined],
    ['constructor', {}, undefined],
  ] as const) {
    it(`writes ${id} with ${JSON.stringify(parameters)}`, () => {
      assert.equal(englishMessage(id, parameters), text)
    })
  }
})
