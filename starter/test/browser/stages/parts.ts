/** The scenes of the parts: a part has its own in `parts/<name>/test/scenes.ts`. @module */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Scene } from '../stage.ts'

const STARTER = new URL('../../../', import.meta.url)

/** What such a file exports. */
export interface PartScenes {
  /** Its scenes. */
  readonly scenes: readonly Scene[]
  /** GET routes of the part that show no page, and why. Default: none. */
  readonly noPages?: Readonly<Record<string, string>>
}

const FILES = globSync('parts/*/test/scenes.ts', { cwd: fileURLToPath(STARTER) }).toSorted()
const ALL = await Promise.all(FILES.map((file) => import(new URL(file, STARTER).href) as Promise<PartScenes>))

/** The scenes of all parts. */
export const OF_PARTS: readonly Scene[] = ALL.flatMap(({ scenes }) => scenes)

/** GET routes of all parts that show no page, and why. */
export const NO_PAGES_OF_PARTS: Readonly<Record<string, string>> = Object.fromEntries(
  ALL.flatMap(({ noPages = {} }) => Object.entries(noPages)),
)
