import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passwordFault } from '../../../identity/accounts/password-rule.ts'

const ADA = ['Ada Lovelace', 'ada@example.com']

describe('passwordFault()', () => {
  const refused: readonly (readonly [password: string, fault: string])[] = [
    ['seven77', 'too_short'],
    ['🔑🔑🔑🔑🔑🔑🔑', 'too_short'],
    ['ä'.repeat(513), 'too_long'],
    ...['password', '12345678', 'Passw0rd!', 'iloveyou1', 'qwertzuiop', 'passwort123', 'summer2024'].map(
      (password) => [password, 'easy_to_guess'] as const,
    ),
    ...['aaaaaaaaaaaaaaaa', 'abcabcabcabcabc', 'a'.repeat(64)].map(
      (password) => [password, 'easy_to_guess'] as const,
    ),
    ...[
      'AdaLovelace1815',
      'Ada.Lovelace!',
      'ada@example.com',
      'Sallyport-2026',
      'lovelaceada1',
      'example.com',
    ].map((password) => [password, 'easy_to_guess'] as const),
  ]
  for (const [password, fault] of refused)
    it(`RA-0101, RA-0102: refuses ${password.slice(0, 20)}: ${fault}`, () => {
      assert.equal(passwordFault(password, ADA), fault)
    })

  const accepted = [
    'kV9x2LmQ',
    'a gate of two doors',
    'nothing but small letters here',
    '4815926374',
    'ünïcödé wörds, länger',
    ' spaces around it ',
    'two doors '.repeat(6) + 'four more',
    'Zq7'.repeat(5) + 'x'.repeat(1009),
  ]
  for (const password of accepted)
    it(`RA-0101: takes ${password.slice(0, 30)} (${password.length} characters)`, () => {
      assert.equal(passwordFault(password, ADA), undefined)
    })

  it('RA-0102: knows the words of the owner only', () => {
    assert.equal(passwordFault('lovelace-byron', ['Grace Hopper', 'grace@example.com']), undefined)
  })

  it('RA-0101: judges within a fraction of a second whatever is typed', () => {
    const began = performance.now()
    for (const hostile of ['ab1password1991-'.repeat(64), 'aB3$'.repeat(256), '1qaz2wsx'.repeat(128)])
      passwordFault(hostile, ADA)

    assert.ok(performance.now() - began < 3000)
  })
})
