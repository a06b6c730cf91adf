import type { LinearExpression } from '../../routing/internal.ts'

/** Expressions that a text is to match, all of them. */
export type Language = readonly LinearExpression[]

type State = readonly (Int32Array | null)[]

const MAX_STATES = 1500
const VISITS = 3
const NICE = Array.from(
  "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ.~!$&'()*+,;=:@éßñдя中あ😀",
)
const SLASH = 47

/**
 * Looks for texts of a language, the shortest first.
 *
 * @param language The language.
 * @param wanted How many are enough.
 * @returns Texts of it; none when it is empty or too large to be searched.
 */
export function samples(language: Language, wanted: number): readonly string[] {
  const own = language.flatMap(({ source }) => Array.from(source))
  const alphabet = codesOf([...NICE, ...own])
  // Both ends of the alphabet, for what stands first in it may belong to another route.
  const found = [alphabet, [...alphabet].reverse()].flatMap((characters) =>
    search(language, characters, wanted),
  )
  return [...new Set(found)]
}

function search(language: Language, characters: readonly number[], wanted: number): readonly string[] {
  const found: string[] = []
  const visits = new Map<string, number>()
  let edge: { readonly text: string; readonly state: State }[] = [
    { text: '', state: language.map(() => null) },
  ]
  while (edge.length > 0 && visits.size < MAX_STATES) {
    const next: typeof edge = []
    for (const { text, state } of edge) {
      for (const character of characters) {
        const to = advance(language, state, character)
        if (to === undefined) continue
        const key = to.join(';')
        const visited = visits.get(key) ?? 0
        if (visited >= VISITS) continue
        visits.set(key, visited + 1)
        const longer = text + String.fromCodePoint(character)
        if (language.every((expression, index) => expression.accepts(to[index] ?? null))) found.push(longer)
        if (found.length >= wanted) return found
        next.push({ text: longer, state: to })
      }
    }
    edge = next
  }
  return found
}

function advance(language: Language, state: State, character: number): State | undefined {
  const next: Int32Array[] = []
  for (const [index, expression] of language.entries()) {
    const to = expression.advance(state[index] ?? null, character)
    if (to === undefined) return undefined
    next.push(to)
  }
  return next
}

function codesOf(characters: readonly string[]): readonly number[] {
  const codes = new Set(characters.map((character) => character.codePointAt(0) ?? 0))
  return [...codes].filter((code) => code > 32 && code !== SLASH && code !== 127)
}
