import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, it } from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PasswordRule } from 'sallyport-app/passwords'
import { onThisMachine } from 'sallyport-app/testing'
import { isCommonWord } from '../../src/passwords/common-word.ts'

const RULE = new PasswordRule({ words: ['Two Harbors'] })
const ADA = ['Ada Lovelace', 'ada@example.com']

function randomText(alphabet: string): string {
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

describe('PasswordRule', () => {
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
      'Two Harbors-2026',
      'TwoHarbors-2026',
      'lovelaceada1',
      'example.com',
    ].map((password) => [password, 'easy_to_guess'] as const),
  ]
  it('refuses what is short, long, common, repeated or made of the owner and the site [RA-0101 RA-0102]', () => {
    for (const [password, fault] of refused) assert.equal(RULE.fault(password, ADA), fault, password)
  })

  it('reads names with accents and signs as people type them [RA-0102]', () => {
    const rule = new PasswordRule({ words: ['Harbor & Söhne', 'Café Noir', 'Große Fahrt', 'Nai\u0308f'] })
    const passwords = [
      'Harbor & Söhne-2026',
      'H@rb0r & Söhne-2026',
      'harborsohne2026',
      'HarborSoehne!26',
      'So\u0308hne2026',
      'Café Noir-2026',
      'C@fe N0ir 2026',
      'cafenoir26',
      'Große Fahrt-2026',
      'grossefahrt2026',
      'Naïf-2026',
    ]
    for (const password of passwords) assert.equal(rule.fault(password, ADA), 'easy_to_guess', password)
    const owner = ['Zoë Müller', 'zoe@example.com']
    for (const password of ['zoemueller88', 'ZoëMuller-88', 'Mu\u0308llerZoe!'])
      assert.equal(RULE.fault(password, owner), 'easy_to_guess', password)
  })

  const common = [
    'Password2026!',
    'Winter2023!',
    'Sommer2026!',
    'Qwertz123!',
    'Summer2026!',
    'P@ssw0rd2026!',
    'p4$$wort-2026',
    '$ommer2026',
    'Hall02026!',
    '!!Passwort!!',
    '2026Password',
    'W1nter2025',
    'Januar2026',
    'MÄRZ2026!!',
    'Maerz2026!!',
    'Mai2026!!',
    'May-2026!',
    'Frühling24!',
    'Fruehling24!',
    'Donnerstag1!',
    'Monday2026!',
    'Weihnachten24',
    'Willkommen1!',
    'Welcome2026!',
    'Geheim2026!',
    'Asdfgh2026!',
    'Yxcvbnm1!',
    'lkjhgfdsa1!',
    'Zxcvbn2026',
    'Qwertzuiopü1!',
    'Dragon2026!',
    'Berlin2026!',
    'Iloveyou2026!!',
    'Password20261234!',
    'Sommer2026!!!!!!!!',
    'Fru\u0308hling2026',
    'Tw0 H@rbors-2026',
    '@da-L0velace!',
  ]
  it('refuses a common word with something beside it [RA-0102]', () => {
    for (const password of common) assert.equal(RULE.fault(password, ADA), 'easy_to_guess', password)
  })

  const accepted = [
    // Of the address, it has only the end of its domain.
    'COM0-cc?=8"S',
    'monkey98347561',
    'Sommer am See mit Boot',
    'winterfahrplan nach Genf',
    'correct horse battery staple',
    'Passwortverwalter?nein',

    'kV9x2LmQ',
    'a gate of two doors',
    'nothing but small letters here',
    '4815926374',
    'ünïcödé wörds, länger',
    ' spaces around it ',
    'two doors '.repeat(6) + 'four more',
    'Zq7'.repeat(5) + 'x'.repeat(1009),
  ]
  it('takes everything else [RA-0101]', () => {
    for (const password of accepted) assert.equal(RULE.fault(password, ADA), undefined, password)
  })

  const ALPHABETS = [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    '!"#$%&()*+,-./:;<=>?@[]^_{|}~',
  ]
  const [alphanumeric = '', punctuation = ''] = ALPHABETS
  const words = dictionary['diceware-common'] ?? []
  for (const [what, make] of [
    ['four words', () => Array.from({ length: 4 }, () => words[randomInt(words.length)]).join(' ')],
    [
      'four words without spaces',
      () => Array.from({ length: 4 }, () => words[randomInt(words.length)]).join(''),
    ],
    ['twelve letters and digits', () => randomText(alphanumeric)],
    ['twelve characters', () => randomText(alphanumeric + punctuation)],
  ] as const)
    it(`refuses no password of ${what} at random [RA-0101 RA-0102]`, () => {
      const passwords = Array.from({ length: 10_000 }, make)
      const judged = passwords.slice(0, 300)

      assert.deepEqual(passwords.filter(isCommonWord), [])
      assert.deepEqual(
        judged.filter((password) => RULE.fault(password, ADA) !== undefined),
        [],
      )
    })

  it('asks for as many characters as an application wants, and says how many [RA-0101]', () => {
    const rule = new PasswordRule({ minCharacters: 12 })

    const violation = rule.violation('kV9x2LmQpRs', ADA)

    assert.deepEqual([violation?.code, violation?.parameters?.['minimum']], ['too_short', 12])
    assert.equal(rule.violation('kV9x2LmQpRsT', ADA), undefined)
  })

  it('knows the words of the owner only [RA-0102]', () => {
    assert.equal(RULE.fault('lovelace-byron', ['Grace Hopper', 'grace@example.com']), undefined)
  })

  it('judges within a fraction of a second whatever is typed [RA-0101]', () => {
    const began = performance.now()
    for (const hostile of ['ab1password1991-'.repeat(64), 'aB3$'.repeat(256), '1qaz2wsx'.repeat(128)])
      RULE.fault(hostile, ADA)

    assert.ok(performance.now() - began < onThisMachine(3000))
  })
})
