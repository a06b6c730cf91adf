import type { LinearExpression } from '../../routing/internal.ts'

/** Expressions that a text is to match, all of them. */
export type Language = readonly LinearExpression[]

const MAX_STATES = 1500
const VISITS = 3
const NICE = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ.~!$&'()*+,;=:@éßñдя中あ😀"
const SLASH = 47

/** Texts of a language, the shortest first; none when it is empty or too large to be searched. */
export function samples(language: Language, wanted: number): readonly string[] {
  const characters = [NICE, ...language.map(({ source }) => source)].flatMap((text) => Array.from(text))
  const codes = new Set(characters.map((character) => character.codePointAt(0) ?? 0))
  const alphabet = [...codes].filter((code) => code > 32 && code !== SLASH && code !== 127)
  // Both ends of the alphabet, for what stands first in it may belong to another route.
  const found = [alphabet, alphabet.toReversed()].flatMap((order) =>
    search(language, order).take(wanted).toArray(),
  )
  return [...new Set(found)]
}

function* search(language: Language, alphabet: readonly number[]): Generator<string> {
  const visits = new Map<string, number>()
  let edge: { readonly text: string; readonly state: readonly (Int32Array | undefined)[] }[] = [
    { text: '', state: [] },
  ]
  while (edge.length > 0 && visits.size < MAX_STATES) {
    const next: typeof edge = []
    for (const { text, state } of edge) {
      for (const character of alphabet) {
        const to = language.map((expression, index) => expression.advance(state[index] ?? null, character))
        if (to.includes(undefined)) continue
        const key = to.join(';')
        const visited = visits.get(key) ?? 0
        if (visited >= VISITS) continue
        visits.set(key, visited + 1)
        const longer = text + String.fromCodePoint(character)
        if (language.every((expression, index) => expression.accepts(to[index] ?? null))) yield longer
        next.push({ text: longer, state: to })
      }
    }
    edge = next
  }
}
