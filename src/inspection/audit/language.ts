import type { LinearExpression } from '../../routing/internal.ts'

/** Expressions that a text is to match, all of them. */
export type Language = readonly LinearExpression[]

type State = readonly (Int32Array | null)[]

const MOST_STATES = 1500
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
  // Both ends of the alphabet, for what stands first in it may be taken by somebody else.
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
  while (edge.length > 0 && visits.size < MOST_STATES) {
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

/**
 * Whether every text of one language is of another, too.
 *
 * @param inner The smaller one.
 * @param outer The larger one.
 * @returns Whether it is; false also when that is too much to find out.
 */
export function isIncluded(inner: Language, outer: Language): boolean {
  if (outer.every(({ source }) => inner.some((expression) => expression.source === source))) return true
  // Most is refuted by a few characters; only what is not has to be proven with all of them.
  return (
    isIncludedBy(inner, outer, codesOf(NICE)) &&
    isIncludedBy(inner, outer, representatives([...inner, ...outer]))
  )
}

function isIncludedBy(inner: Language, outer: Language, characters: readonly number[]): boolean {
  const seen = new Set<string>()
  let edge: { readonly from: State; readonly to: State | undefined }[] = [
    { from: inner.map(() => null), to: outer.map(() => null) },
  ]
  while (edge.length > 0) {
    const next: typeof edge = []
    for (const { from, to } of edge) {
      for (const character of characters) {
        const here = advance(inner, from, character)
        if (here === undefined) continue
        const there = to === undefined ? undefined : advance(outer, to, character)
        const key = `${here.join(';')}/${there?.join(';') ?? ''}`
        if (seen.has(key)) continue
        seen.add(key)
        const isInner = inner.every((expression, index) => expression.accepts(here[index] ?? null))
        const isOuter = outer.every((expression, index) => expression.accepts(there?.[index] ?? null))
        if (isInner && (there === undefined || !isOuter)) return false
        next.push({ from: here, to: there })
      }
    }
    if (seen.size > MOST_STATES) return false
    edge = next
  }
  return true
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

const known = new WeakMap<LinearExpression, ReadonlyMap<number, string>>()

// One character for each set of characters that none of the expressions tells apart, so that inclusion is proven and
// not guessed. Beyond the first plane one in 64 is looked at.
function representatives(language: Language): readonly number[] {
  const classes = language.map(classesOf)
  const byClass = new Map<string, number>()
  for (const [character] of classes[0] ?? []) {
    const key = classes.map((map) => map.get(character)).join('|')
    if (!byClass.has(key)) byClass.set(key, character)
  }
  return [...byClass.values()]
}

function classesOf(expression: LinearExpression): ReadonlyMap<number, string> {
  let classes = known.get(expression)
  if (classes === undefined) {
    const read = new Map<number, string>()
    for (let character = 32; character < 0x20000; character += character < 0x10000 ? 1 : 64) {
      if ((character > 126 && character < 160) || (character > 0xd7ff && character < 0xe000)) continue
      read.set(character, expression.classOf(character))
    }
    classes = read
    known.set(expression, classes)
  }
  return classes
}

function codesOf(characters: readonly string[]): readonly number[] {
  const codes = new Set(characters.map((character) => character.codePointAt(0) ?? 0))
  return [...codes].filter((code) => code > 32 && code !== SLASH && code !== 127)
}
