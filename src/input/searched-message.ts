// Length of a shared part that is no coincidence: with a digit or punctuation, and of letters alone.
const MARKED_RUN = 8
const PLAIN_RUN = 16

const LETTERS = /^[\p{L}\p{M}]+$/u
const MARK = /[^\p{L}\p{M}\s'’.,;:!?()"-]/u
const QUOTED = /["'`“‘«([<{]([^"'`“”‘’«»()[\]<>{}]*)(?=["'`”’»)\]>}])/g

/** Scripts without spaces between words. */
export const UNSPACED: RegExp = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** A message in all spellings that escaping can produce. */
export class SearchedMessage {
  /** The parts in quotes or brackets, case-folded. */
  readonly quoted: readonly string[]
  readonly #forms: readonly string[]
  readonly #bare: readonly string[]
  readonly #runs: ReadonlySet<string>
  // The pairs of adjacent characters: a string that begins with another pair needs no search.
  readonly #pairs = new Uint8Array(65536)

  /**
   * @param message The message.
   */
  constructor(message: string) {
    this.#forms = [
      ...new Set([message, unescaped(message), withoutEntities(message), withoutPercent(message)]),
    ].map((form) => fold(form))
    this.#bare = this.#forms.map(bare)
    this.quoted = this.#forms.flatMap((form) =>
      [...form.matchAll(QUOTED)].map(([, piece = '']) => piece.trim()),
    )
    this.#runs = new Set(this.#forms.flatMap(runsOf))
    for (const form of [...this.#forms, ...this.#bare])
      for (let i = 0; i + 1 < form.length; i++) this.#pairs[pair(form, i)] = 1
  }

  /**
   * @param text A folded string of at least two characters.
   * @returns Whether the message contains it; for a word, whether it occurs as a whole word.
   */
  holds(text: string): boolean {
    if (this.#pairs[pair(text, 0)] !== 1) return false
    const isWord = LETTERS.test(text) && !UNSPACED.test(text)
    return this.#forms.some((form) => (isWord ? holdsWord(form, text) : form.includes(text)))
  }

  /**
   * @param text A result of {@link bare}.
   * @returns Whether the message contains it, ignoring punctuation in between.
   */
  holdsBare(text: string): boolean {
    return this.#pairs[pair(text, 0)] === 1 && this.#bare.some((form) => form.includes(text))
  }

  /**
   * @param text Folded strings.
   * @returns Whether the message shares a part with them that is too long for a coincidence.
   */
  sharesRun(text: string): boolean {
    if (this.#runs.size === 0) return false
    for (let i = 0; i + MARKED_RUN <= text.length; i++) {
      if (this.#pairs[pair(text, i)] !== 1) continue
      if (this.#runs.has(text.slice(i, i + MARKED_RUN)) || this.#runs.has(text.slice(i, i + PLAIN_RUN)))
        return true
    }
    return false
  }
}

/**
 * @param text Any string.
 * @returns The string without differences in letter case and compatibility characters.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function runsOf(form: string): string[] {
  const runs: string[] = []
  for (let i = 0; i + MARKED_RUN <= form.length; i++) {
    const marked = form.slice(i, i + MARKED_RUN)
    if (MARK.test(marked)) runs.push(marked)
    if (i + PLAIN_RUN <= form.length) runs.push(form.slice(i, i + PLAIN_RUN))
  }
  return runs
}

function holdsWord(form: string, word: string): boolean {
  for (let i = form.indexOf(word); i !== -1; i = form.indexOf(word, i + 1)) {
    const around = form.slice(Math.max(0, i - 1), i) + form.slice(i + word.length, i + word.length + 1)
    if (!/[\p{L}\p{M}\p{N}]/u.test(around)) return true
  }
  return false
}

/**
 * @param text A folded string.
 * @returns Its letters and digits.
 */
export function bare(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function pair(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & 0xffff
}

function unescaped(message: string): string {
  return message
    .replaceAll(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi, (escape) =>
      character(Number.parseInt(escape.replaceAll(/[\\ux{}]/gi, ''), 16), escape),
    )
    .replaceAll(/\\(.)/g, (_, escaped: string) => escaped)
}

function withoutEntities(message: string): string {
  return message
    .replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (entity, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), entity),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

function withoutPercent(message: string): string {
  return new URLSearchParams(`=${message.replaceAll('&', '%26')}`).get('') ?? message
}

function character(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}
