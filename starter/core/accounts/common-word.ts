import { dictionary } from '@zxcvbn-ts/language-common'
import { normalizedText } from '../text/normalized-text.ts'

// With more characters beside it than these, or than it has itself, a common word is not what a password is made of.
const FEW_CHARACTERS = 6
// What stands beside a word most often, and therefore adds nothing: a year, a repetition, a sequence.
const EXPECTED = /(?:19|20)\d\d|(.)\1{2,}|12345?6?7?8?9?0?|123|0?987(?:6(?:5(?:4(?:321?)?)?)?)?/gu
const FEWEST_LETTERS = 3

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
const ROWS = ['qwertyuiop', 'qwertzuiopü', 'asdfghjkl', 'asdfghjklöä', 'zxcvbnm', 'yxcvbnm']
const FEWEST_KEYS = 4

// As people put them for letters. What may stand for two letters is tried as both.
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '€': 'e',
  '9': 'g',
  '!': 'i',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
}

let known: ReadonlySet<string> | undefined

/**
 * Reads characters that often stand for letters as those letters.
 *
 * @returns Its readings, in small letters without accents.
 */
export function readings(text: string): readonly string[] {
  const plain = withoutAccents(text)
  const read = plain.replace(/[^\p{L}]/gu, (character) => LETTERS[character] ?? character)
  return [plain, read, plain.replace(/[1!|]/g, 'l').replace(/[^\p{L}]/gu, (each) => LETTERS[each] ?? each)]
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
  return readings(word).some((reading) => words.has(reading))
}

function ownWords(): readonly string[] {
  const words = WORDS.trim()
    .split(/\s+/)
    .flatMap((word) => [withoutAccents(word), withoutAccents(withoutUmlauts(word))])
  return [...words, ...ROWS.flatMap(runsOf)]
}

function runsOf(row: string): readonly string[] {
  const keys = Array.from(row)
  const back = keys.toReversed()
  return [keys, back].flatMap((some) =>
    some.flatMap((_, first) =>
      some
        .slice(first + FEWEST_KEYS - 1)
        .map((_key, more) => withoutAccents(some.slice(first, first + FEWEST_KEYS + more).join(''))),
    ),
  )
}

function withoutUmlauts(word: string): string {
  return word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
}

function withoutAccents(text: string): string {
  return (normalizedText(text, 'NFKD') ?? text).replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
