import type { Action } from '../declaration/action.ts'
import type { EntryPoint } from '../resolution/entry-points.ts'
import type { Variant } from '../table/variant.ts'
import type { ActionWriter } from './action-writer.ts'
import type { PathWriter } from './path-writer.ts'

// Of how many spellings of locales, and of how many arguments of an action, writers are remembered.
const MAX_KNOWN = 32

/** The writers of routes and actions in a locale. */
export class KnownWriters {
  readonly routes: Map<string, PathWriter> = new Map()
  readonly #actions = new Map<Action, ActionWriter[]>()

  /** The writer of an action with so many arguments. */
  action(action: Action, count: number): ActionWriter | undefined {
    return this.#actions.get(action)?.[count]
  }

  /** Makes one if there is none, unless there are too many arguments. */
  addAction(action: Action, count: number, make: () => ActionWriter): void {
    const writers = this.#actions.get(action) ?? []
    if (count < MAX_KNOWN) writers[count] ??= make()
    this.#actions.set(action, writers)
  }
}

/** The writers of each locale, as it is spelled where a URL is asked for. */
export class LocalizedWriters {
  readonly #bySpelling = new Map<string | undefined, KnownWriters>()
  readonly #byVariant = new Map<Variant, PathWriter[]>()

  /** Those of a locale; undefined: none is given. */
  find(locale: string | undefined): KnownWriters {
    const known = this.#bySpelling.get(locale)
    if (known !== undefined) return known
    const added = new KnownWriters()
    // A client may spell the tag of a locale in many ways.
    if (this.#bySpelling.size < MAX_KNOWN) this.#bySpelling.set(locale, added)
    return added
  }

  /** The writer of a path behind an entry point, which all spellings share. */
  share(variant: Variant, point: EntryPoint, make: () => PathWriter): PathWriter {
    const writers = this.#byVariant.get(variant) ?? []
    this.#byVariant.set(variant, writers)
    const known = writers.find((writer) => writer.point === point)
    if (known !== undefined) return known
    const made = make()
    writers.push(made)
    return made
  }
}
