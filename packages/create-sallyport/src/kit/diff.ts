/**
 * `sallyport-kit diff`.
 *
 * @module
 */
import { compare, findMoves } from './git.ts'
import type { Project } from './opened.ts'
import { isSame, type Tree } from './tree.ts'

/** A file that is not as the kit wrote it. */
export interface Edit {
  readonly path: string
  readonly state: 'edited' | 'moved' | 'deleted'
  /** Where it is now, if it was moved. */
  readonly to?: string
}

/**
 * @param project Was made by the kit.
 * @param below Path of a file or folder. Default: all of them.
 * @returns The files that were edited since, and the differences as git prints them.
 */
export function diff(
  { base, ours }: Project,
  below?: string,
): { readonly edits: readonly Edit[]; readonly text: string } {
  const prefix = below?.replace(/^\.\//, '').replace(/\/$/, '')
  const isBelow = (path: string): boolean =>
    prefix === undefined || prefix === '' || path === prefix || path.startsWith(`${prefix}/`)
  const before = new Map(
    [...base].filter(([path, contents]) => isBelow(path) && !isSame(contents, ours.get(path))),
  )
  const gone = new Map([...before].filter(([path]) => !ours.has(path)))
  const moves = findMoves(gone, new Map([...ours].filter(([path]) => !base.has(path))))
  const after = new Map(
    [...before.keys()].flatMap((path) => {
      const place = moves.get(path) ?? path
      const contents = ours.get(place)
      return contents === undefined ? [] : [[place, contents] as const]
    }),
  )
  return {
    edits: [...before.keys()].map((path) => editOf(path, after, moves.get(path))),
    text: before.size === 0 ? '' : compare(before, after, ['--find-renames=60%', '-l0']).toString(),
  }
}

function editOf(path: string, after: Tree, to: string | undefined): Edit {
  if (to !== undefined) return { path, state: 'moved', to }
  return { path, state: after.has(path) ? 'edited' : 'deleted' }
}
