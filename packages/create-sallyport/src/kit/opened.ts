/**
 * A project that the kit made.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOfLanguage } from '../languages.ts'
import { type Lock, readRecord } from '../record.ts'
import { pathsIn } from './git.ts'
import { type Change, planChanges, type Trees } from './plan.ts'
import { Refusal } from './refusal.ts'
import { readFiles, type Tree } from './tree.ts'

/** A project, as it is now. */
export interface Project {
  readonly folder: string
  /** The choices, with the parts and languages that are still there. */
  readonly lock: Lock
  /** What the kit wrote, without the parts and languages that somebody has removed by hand. */
  readonly base: Tree
  /** Its files. */
  readonly ours: Tree
}

/**
 * @param folder Folder of a project.
 * @returns The project.
 * @throws {Refusal} If it is none, or what it recorded of the kit cannot be read.
 */
export function openProject(folder: string): Project {
  const { lock, base } = recorded(folder)
  const parts = lock.parts.filter((name) => existsSync(join(folder, 'parts', name)))
  const isGone = (path: string): boolean => {
    const [top, name = ''] = path.split('/')
    return top === 'parts' && lock.parts.includes(name) && !parts.includes(name)
  }
  const wasThere = (tag: string): boolean => [...base.keys()].some((path) => isOfLanguage(path, [tag]))
  const gone = lock.languages.filter(
    (tag) => wasThere(tag) && !existsSync(join(folder, 'core/messages', tag)),
  )
  const languages = lock.languages.filter((tag) => !gone.includes(tag))
  const left = new Map([...base].filter(([path]) => !isGone(path) && !isOfLanguage(path, gone)))
  const ours = readFiles(folder, [...base.keys(), ...pathsIn(folder)])
  return { folder, lock: { ...lock, parts, languages }, base: left, ours }
}

/**
 * @param project Is changed.
 * @param trees What the kit wrote, and what it writes now.
 * @returns What becomes of its files.
 */
export function planFor({ folder, ours }: Project, trees: Omit<Trees, 'ours'>): readonly Change[] {
  // A file that git ignores is not overwritten either.
  return planChanges({ ...trees, ours: new Map([...ours, ...readFiles(folder, trees.theirs.keys())]) })
}

function recorded(folder: string): ReturnType<typeof readRecord> {
  try {
    return readRecord(folder)
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(error.message, { cause: error })
    throw error
  }
}
