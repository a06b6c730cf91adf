import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { initialsOf, labelField, ownerNameField, plainValue } from 'sallyport-app/text'

describe('names', () => {
  it('stay on their line of a mail, and end after 80 characters [RA-2401]', () => {
    assert.equal(plainValue('  My\nphone\u2028\tof  last year '), 'My phone of last year')
    assert.equal(plainValue('x'.repeat(80)), 'x'.repeat(80))
    assert.equal(plainValue('x'.repeat(81)), `${'x'.repeat(80)}…`)
  })

  it('are taken by forms when they fit on a line and disturb nothing around them', () => {
    for (const [field, longest] of [
      [labelField, 60],
      [ownerNameField, 100],
    ] as const) {
      assert.equal(field.parse(`  ${'x'.repeat(longest)} `), 'x'.repeat(longest))
      for (const refused of ['', ' ', 'x'.repeat(longest + 1), 'two\nlines', 'turned \u202e around'])
        assert.equal(field.safeParse(refused).success, false, JSON.stringify(refused))
      for (const name of ['Zoë 👩‍🔬', 'علی‌رضا', '王', "O'Neill-Ångström"]) assert.equal(field.parse(name), name)
    }
  })

  it('are shortened to the first letters of their first and last word', () => {
    const initials = ['Ada Lovelace', 'ada', ' Ada King Lovelace ', 'Éva 𝒳'].map(initialsOf)

    assert.deepEqual(initials, ['AL', 'A', 'AL', 'É𝒳'])
    assert.equal(initialsOf(''), '')
  })
})
