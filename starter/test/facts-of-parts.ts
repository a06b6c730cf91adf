/** What the tests of the core know of parts: a part says it in `parts/<name>/test/facts.ts`, as `facts`. @module */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { NoticeValues } from '../identity/mail/notices.ts'
import type { Scene } from './browser/stage.ts'
import type { Deed } from './crash/deed.ts'
import type { Bound } from './database/bound.ts'

const STARTER = new URL('..', import.meta.url)

/** Names or paths, each with a sentence about it. */
type Described = Readonly<Record<string, string>>

/** What a part says of itself. Everything is empty by default. */
export interface PartFacts {
  /** Its pages in their states. */
  readonly scenes?: readonly Scene[]
  /** What a process may die during. */
  readonly deeds?: readonly Deed[]
  /** GET routes that show no page, and why. */
  readonly noPages?: Described
  /** What the forms behind the links of its mails do, by method and path, for `WAYS-IN.md`: none signs anybody in. */
  readonly links?: Described
  /** Forms that need no recent proof of password and factor, and why not. */
  readonly free?: Described
  /** Names of fields that no page of the core has, with what each needs to be filled in. */
  readonly fields?: Readonly<Record<string, Described>>
  /** Its tables with rows of an account, and what bounds each. */
  readonly lists?: Readonly<Record<string, Bound>>
  /** Its notices, with values for each. */
  readonly notices?: Partial<NoticeValues>
  /** Its tables whose rows do not end with `expires_at`, and what becomes of them. */
  readonly kept?: Described
}

const FILES = globSync('parts/*/test/facts.ts', { cwd: fileURLToPath(STARTER) }).toSorted()
const ALL = await Promise.all(
  FILES.map(async (file) => {
    const { facts } = (await import(new URL(file, STARTER).href)) as { readonly facts: PartFacts }
    return facts
  }),
)

/** The scenes of all parts. */
export const SCENES_OF_PARTS: readonly Scene[] = ALL.flatMap(({ scenes = [] }) => scenes)

/** What a process may die during, of all parts. */
export const DEEDS_OF_PARTS: readonly Deed[] = ALL.flatMap(({ deeds = [] }) => deeds)

/**
 * @param what What is asked for.
 * @returns What all parts say of it.
 */
export function ofParts<Key extends Exclude<keyof PartFacts, 'scenes' | 'deeds'>>(
  what: Key,
): NonNullable<PartFacts[Key]> {
  const entries = ALL.flatMap((facts) => Object.entries(facts[what] ?? {}))
  return Object.fromEntries(entries) as NonNullable<PartFacts[Key]>
}
