/**
 * What git does here: it compares, merges, and says whether everything is committed.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import type { Files } from '../files.ts'
import { Refusal } from './refusal.ts'
import { inTemporary, type Tree } from './tree.ts'

/** What git printed. */
interface Answer {
  readonly status: number
  readonly out: Buffer
}

/**
 * @param folder Folder of a project.
 * @throws {Refusal} If it is not in a repository, or something in it is not committed.
 */
export function assertCommitted(folder: string): void {
  const { status, out } = git(folder, ['status', '--porcelain', '--', '.'])
  const back = 'then you can see what the kit changes, and take it back; --force goes on without'
  if (status !== 0) throw new Refusal(`${folder} is in no git repository: make one and commit, ${back}`)
  if (out.length > 0) throw new Refusal(`there are changes that are not committed: commit them, ${back}`)
}

/**
 * @param folder Folder of a project.
 * @returns Paths of its files, without those that git ignores: data and secrets are nobody's business. None without a repository.
 */
export function pathsIn(folder: string): readonly string[] {
  const { status, out } = git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  if (status !== 0) return []
  const paths = out.toString().split('\0')
  return paths.filter((path) => path !== '' && !path.startsWith('.sallyport/'))
}

/** Three texts of one file. */
export interface Sides {
  readonly ours: Buffer
  readonly base: Buffer
  readonly theirs: Buffer
}

/** A file that was merged. */
export interface Merged {
  readonly contents: Buffer
  /** Whether it has places where both sides changed the same lines, with the markers of git. */
  readonly hasConflicts: boolean
}

/**
 * @param sides The texts.
 * @param labels What the markers call them, in the order ours, base, theirs.
 * @returns The text with both changes.
 */
export function mergeText({ ours, base, theirs }: Sides, labels: readonly string[]): Merged {
  const files = new Map(Object.entries({ ours, base, theirs }))
  return inTemporary(files, (folder) => {
    const names = labels.flatMap((label) => ['-L', label])
    const words = ['merge-file', '--stdout', '--zdiff3', ...names, 'ours', 'base', 'theirs']
    const { status, out } = git(folder, words)
    // The count of conflicts, or 255 when it could not be done.
    if (status > 127) throw new Error(`git merge-file failed with exit code ${status}`)
    return { contents: out, hasConflicts: status > 0 }
  })
}

/**
 * @param before Files that are gone.
 * @param after Files that one of them may have become.
 * @returns The new path of each that is at least 60 % the same somewhere else.
 */
export function findMoves(before: Tree, after: Tree): ReadonlyMap<string, string> {
  if (before.size === 0 || after.size === 0) return new Map()
  const words = ['--find-renames=60%', '-l0', '--diff-filter=R', '--name-status', '-z']
  const parts = compare(before, after, words).toString().split('\0')
  const moves = new Map<string, string>()
  for (let index = 0; index + 2 < parts.length; index += 3)
    moves.set((parts[index + 1] ?? '').slice('kit/'.length), (parts[index + 2] ?? '').slice('yours/'.length))
  return moves
}

/**
 * @param before Files of the kit.
 * @param after The same files in a project.
 * @param words Options of `git diff`.
 * @returns What it prints, with the paths below `kit/` and `yours/`.
 */
export function compare(before: Tree, after: Tree, words: readonly string[]): Buffer {
  const files = [...placed('kit', before), ...placed('yours', after)]
  // A folder that is not there would be an error.
  const both: Files = new Map<string, string | Uint8Array>([['kit/.keep', ''], ['yours/.keep', ''], ...files])
  return inTemporary(both, (folder) => {
    const plain = ['--no-index', '--no-ext-diff', '--no-color', '--src-prefix=', '--dst-prefix=']
    const { status, out } = git(folder, ['diff', ...plain, ...words, 'kit', 'yours'])
    if (status > 1) throw new Error(`git diff failed with exit code ${status}`)
    return out
  })
}

function placed(folder: string, files: Tree): readonly (readonly [string, Buffer])[] {
  return [...files].map(([path, contents]) => [`${folder}/${path}`, contents])
}

function git(cwd: string, words: readonly string[]): Answer {
  // Without the settings of a hook or of another repository, which may run this.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_DIR')))
  const { status, stdout, error } = spawnSync('git', ['-c', 'core.quotepath=off', ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 256 * 1024 * 1024,
  })
  if (error !== undefined)
    throw new Refusal(`git cannot be run (${error.message}): install it, it merges your edits`)
  return { status: status ?? 255, out: stdout }
}
