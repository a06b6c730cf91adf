/**
 * The parts of the starter, as its `parts.ts` lists them.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ListedPart, partsIn } from './parts-list.ts'

/** A part that a project may have. */
export interface KitPart extends ListedPart {
  /** Names of the parts without which it does not work. */
  readonly needs: readonly string[]
}

/** The preset without parts: the notebook of the tutorial in place of the starter. */
export const MINIMAL = 'minimal'

/** Names of the parts of a preset; null for all. */
export const PRESETS: Readonly<Record<string, readonly string[] | null>> = {
  [MINIMAL]: [],
  standard: ['activity', 'passkeys', 'sessions'],
  full: null,
}

/**
 * @param kit Folder of the starter, or of a project.
 * @returns Its parts, in the order of `parts.ts`.
 */
export function partsOf(kit: string): readonly KitPart[] {
  const named = partsIn(readFileSync(join(kit, 'parts.ts'), 'utf8'))
  return named.map(({ line, name }) => {
    const source = readFileSync(join(kit, 'parts', name, 'part.ts'), 'utf8')
    const [, needed = ''] = /^ {2}needs: \[([^\]]*)\]/m.exec(source) ?? []
    const lines = needed.split(',').map((each) => each.trim())
    const needs = named.filter((each) => lines.includes(each.line)).map((each) => each.name)
    return { name, line, needs }
  })
}

/** Which parts somebody wants. */
export interface Wanted {
  /** A key of {@link PRESETS}. */
  readonly preset: string
  /** Names of parts to add. */
  readonly added: readonly string[]
  /** Names of parts to leave out. */
  readonly left: readonly string[]
}

/**
 * Parts that an added one needs come with it, and parts that need one that is left out go with it.
 *
 * @param all All parts.
 * @param wanted Which of them are wanted.
 * @returns Names of the chosen parts, in the order of `all`.
 * @throws {RangeError} If the preset or a part is unknown, or a part is both added and left out.
 */
export function chooseParts(all: readonly KitPart[], { preset, added, left }: Wanted): readonly string[] {
  const names = all.map(({ name }) => name)
  const unknown = [...added, ...left].find((name) => !names.includes(name))
  if (unknown !== undefined) throw new RangeError(`there is no part "${unknown}": use ${names.join(', ')}`)
  const ofPreset = PRESETS[preset]
  if (ofPreset === undefined)
    throw new RangeError(`there is no preset "${preset}": use ${Object.keys(PRESETS).join(', ')}`)
  if (preset === MINIMAL && added.length + left.length > 0)
    throw new RangeError(`the preset "${MINIMAL}" has no parts: take "standard", or name none`)
  assertNoContradiction(all, added, left)
  const isGone = withNeeding(all, left)
  const chosen = withNeeds(all, [...(ofPreset ?? names), ...added])
  return names.filter((name) => chosen.has(name) && !isGone.has(name))
}

/**
 * @param all All parts.
 * @param names Names of some.
 * @returns These, and those that they need.
 */
export function withNeeds(all: readonly KitPart[], names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names)
  for (const name of found)
    for (const needed of all.find((each) => each.name === name)?.needs ?? []) found.add(needed)
  return found
}

function assertNoContradiction(
  all: readonly KitPart[],
  added: readonly string[],
  left: readonly string[],
): void {
  for (const name of added) {
    const needs = withNeeds(all, [name])
    const lost = left.find((each) => needs.has(each))
    if (lost === name) throw new RangeError(`"${name}" is both added and left out: choose one of the two`)
    if (lost !== undefined)
      throw new RangeError(`"${name}" needs "${lost}", which is left out: leave out both, or neither`)
  }
}

function withNeeding(all: readonly KitPart[], names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names)
  for (const name of found) for (const each of all) if (each.needs.includes(name)) found.add(each.name)
  return found
}
