/**
 * What becomes of each file, when the kit goes from one text of it to another.
 *
 * @module
 */
import { findMoves } from './git.ts'
import { mergeFile } from './merge.ts'
import { isBinary, isSame, type Tree } from './tree.ts'

/**
 * What happened to a file:
 *
 * - `updated`: it was as the kit wrote it, and has the new text.
 * - `merged`: it has the edits of the project and those of the kit.
 * - `conflict`: both changed the same lines; git's markers are in it.
 * - `added`: it is new in the kit.
 * - `beside`: it cannot be merged, because the project has its own file of that name, or it is no text. The kit's is beside it.
 * - `removed`: the kit has it no more, and it was as the kit wrote it.
 * - `kept`: the kit has it no more, and it was edited.
 * - `absent`: the kit changed it, and the project has it no more, or only in another place where the changes do not fit.
 */
export type Outcome = 'updated' | 'merged' | 'conflict' | 'added' | 'beside' | 'removed' | 'kept' | 'absent'

/** What happened to one file. */
export interface Change {
  readonly outcome: Outcome
  /** Where it is in the project. */
  readonly path: string
  /** Where it was before, if it moves. */
  readonly from?: string
  /** Where it is in the kit: another path, if the project has moved it, or this is beside it. */
  readonly kitPath: string
  /** What is written there; undefined for nothing. */
  readonly contents?: Buffer
}

/** Three trees. */
export interface Trees {
  /** The files of the project. */
  readonly ours: Tree
  /** What the kit wrote before. */
  readonly base: Tree
  /** What the kit writes now. */
  readonly theirs: Tree
  /** What the markers of conflicts call them, in this order. */
  readonly labels: readonly string[]
}

/** The end of the name of a file that is written beside one of the same name. */
export const BESIDE = '.kit'

/**
 * @param trees The texts.
 * @returns What becomes of each file that the kit changed, by path.
 */
export function planChanges(trees: Trees): readonly Change[] {
  const { ours, base, theirs } = trees
  const changed = pick(base, (path, before) => !isSame(before, theirs.get(path)))
  const own = pick(ours, (path) => !base.has(path) && !theirs.has(path))
  const moved = findMoves(
    pick(changed, (path) => !ours.has(path)),
    own,
  )
  const renamed = renamedByKit(trees, changed)
  const fresh = pick(theirs, (path) => !base.has(path) && !renamed.targets.has(path))
  const changes = [
    ...[...changed.keys()].map((path) =>
      changeOf(trees, { path, place: moved.get(path) ?? path, target: renamed.moves.get(path) ?? path }),
    ),
    ...[...fresh].map(([path, contents]) => addition(path, contents, ours.get(path))),
  ]
  return changes
    .filter((change) => change !== undefined)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Where one file is. */
interface Places {
  /** In the kit, before. */
  readonly path: string
  /** In the project. */
  readonly place: string
  /** In the kit, now. */
  readonly target: string
}

// Only edited texts: a file that was not edited is simply removed here and added there.
function renamedByKit(
  { ours, base, theirs }: Trees,
  changed: Tree,
): { readonly moves: ReadonlyMap<string, string>; readonly targets: ReadonlySet<string> } {
  const edited = pick(
    changed,
    (path, before) =>
      !theirs.has(path) && ours.has(path) && !isSame(before, ours.get(path)) && !isBinary(before),
  )
  const moves = findMoves(
    edited,
    pick(theirs, (path) => !base.has(path) && !ours.has(path)),
  )
  return { moves, targets: new Set(moves.values()) }
}

function changeOf(trees: Trees, { path, place, target }: Places): Change | undefined {
  const ours = trees.ours.get(place)
  const base = trees.base.get(path)
  const theirs = trees.theirs.get(target)
  const isMoved = place !== path
  if (ours === undefined || base === undefined)
    return theirs === undefined ? undefined : { outcome: 'absent', path, kitPath: path }
  if (target === path && isSame(ours, theirs)) return undefined
  const found = { path: isMoved ? place : target, kitPath: target }
  if (theirs === undefined) return { outcome: isSame(ours, base) && !isMoved ? 'removed' : 'kept', ...found }
  if (isSame(ours, base)) return { outcome: 'updated', ...found, contents: theirs }
  if ([ours, base, theirs].some(isBinary))
    return { outcome: 'beside', path: `${place}${BESIDE}`, kitPath: target, contents: theirs }
  const { contents, hasConflicts } = mergeFile(path, { ours, base, theirs }, trees.labels)
  // That it moved is a guess. It is not worth markers in a file that may be another one.
  if (hasConflicts && isMoved) return { outcome: 'absent', ...found }
  if (target === path && isSame(contents, ours)) return undefined
  const from = target === path || isMoved ? {} : { from: path }
  return { outcome: hasConflicts ? 'conflict' : 'merged', ...found, ...from, contents }
}

function addition(path: string, contents: Buffer, ours: Buffer | undefined): Change | undefined {
  if (ours === undefined) return { outcome: 'added', path, kitPath: path, contents }
  if (isSame(ours, contents)) return undefined
  return { outcome: 'beside', path: `${path}${BESIDE}`, kitPath: path, contents }
}

function pick(tree: Tree, isPicked: (path: string, contents: Buffer) => boolean): Tree {
  return new Map([...tree].filter(([path, contents]) => isPicked(path, contents)))
}
