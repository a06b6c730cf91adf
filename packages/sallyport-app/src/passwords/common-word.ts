import { dictionary } from '@zxcvbn-ts/language-common'
import { normalizedText } from '../text/index.ts'

// With more characters beside it than these, or than it has itself, a common word is not what a password is made of.
const FEW_CHARACTERS = 6
const FEWEST_LETTERS = 3
const FEWEST_KEYS = 4
// What stands beside a word most often, and therefore adds nothing: a year, a repetition, a sequence.
const EXPECTED = /(?:19|20)\d\d|(.)\1{2,}|12345?6?7?8?9?0?|123|0?987(?:6(?:5(?:4(?:321?)?)?)?)?/gu

// The list of common passwords has too few words of German, and of rows of a German keyboard.
const WORDS = `
  january february march april may june july august september october november december
  januar jänner februar feber märz april mai juni juli august september oktober november dezember
  spring summer autumn fall winter frühling frühjahr sommer herbst winter easter christmas ostern weihnachten silvester
  monday tuesday wednesday thursday friday saturday sunday
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  password passcode passphrase secret welcome login letmein changeme administrator admin user guest test
  passwort kennwort losung geheim geheimnis willkommen anmeldung anmelden zugang ändern start benutzer gast hallo
`
const ROWS = 'qwertyuiop qwertzuiopü asdfghjkl asdfghjklöä zxcvbnm yxcvbnm'
const RUNS = withoutAccents(`${ROWS} ${Array.from(ROWS).toReversed().join('')}`)

// What people put for letters, and the letters.
const SIGNS = '@483€9!10$57+'
const LETTERS = 'aabeegiiosstt'

let known: ReadonlySet<string> | undefined

/** @returns The text with signs read as the letters that they often stand for, in small letters without accents: each way to read it. */
export function readings(text: string): readonly string[] {
  const plain = withoutAccents(text)
  return [plain, asLetters(plain), asLetters(plain.replace(/[1!|]/g, 'l'))]
}

/** @returns The text in small letters without accents, as keyboards without them write it: `söhne` is `sohne`, and `soehne`. */
export function spellings(text: string): readonly [string, string] {
  const composed = (normalizedText(text, 'NFC') ?? text).toLowerCase()
  const spelled = composed.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
  return [withoutAccents(composed), withoutAccents(spelled)]
}

/** @returns Whether it is a common word with little beside it: `Sommer2026!`, `P@ssw0rd123`. */
export function isCommonWord(password: string): boolean {
  const ahead = /^[^\p{L}]*/u.exec(password)?.[0].length ?? 0
  const behind = /[^\p{L}]*$/u.exec(password)?.[0].length ?? 0
  if (ahead === password.length) return false
  for (let first = ahead; first >= 0; first -= 1)
    for (let last = behind; last >= 0; last -= 1) {
      const word = password.slice(first, password.length - last)
      const beside = password.slice(0, first) + password.slice(password.length - last)
      if (isCommon(word, beside.replace(EXPECTED, '').length)) return true
    }
  return false
}

function isCommon(word: string, beside: number): boolean {
  const letters = word.replace(/\P{L}/gu, '').length
  if (word.length < FEWEST_LETTERS || 2 * letters < word.length) return false
  if (beside > Math.min(word.length, FEW_CHARACTERS)) return false
  const words = (known ??= new Set([...(dictionary['passwords-common'] ?? []), ...ownWords()]))
  return readings(word).some(
    (reading) => words.has(reading) || (reading.length >= FEWEST_KEYS && RUNS.includes(reading)),
  )
}

function ownWords(): readonly string[] {
  return spellings(WORDS).join(' ').trim().split(/\s+/)
}

function asLetters(text: string): string {
  return text.replace(/[^\p{L}]/gu, (sign) => LETTERS[SIGNS.indexOf(sign)] ?? sign)
}

function withoutAccents(text: string): string {
  return (normalizedText(text, 'NFKD') ?? text).replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
