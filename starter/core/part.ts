import type { Kysely } from 'kysely'
import type { App, ModuleDefinition } from 'sallyport'
import type { Schema } from '../database/schema.ts'
import type { AuditEvent } from '../identity/audit/audit-trail.ts'
import type { Mailer } from '../identity/mail/mailer.ts'
import type { Texts } from '../messages/language.ts'
import type { Settings } from '../settings.ts'
import type { SignInStep } from './sign-in-step.ts'
import type { SlotData, Slots } from './slots.ts'

/** Something that every process does each hour. */
export interface HourlyWork {
  /** What the log calls it. */
  readonly name: string
  /** Does it. It may run in several processes at once. */
  readonly run: (app: App) => Promise<unknown>
}

/**
 * What comes and goes with a folder of `parts/` and its line in `parts.ts`. A part gives the core whatever it needs of this, and the
 * core asks for nothing else: it names no part.
 */
export interface Part {
  /** Its name, in kebab case: that of the folder and of its views, as in `name::page`. */
  readonly name: string
  /** Parts that it builds upon. Default: none. */
  readonly needs?: readonly Part[]
  /** Its modules in an application with these settings. Default: none. */
  readonly modules?: (settings: Settings, mailer: Mailer) => readonly ModuleDefinition[]
  /** Folder of its templates. Default: none. */
  readonly views?: URL
  /** Its texts. Default: none. */
  readonly texts?: Texts
  /** Statements that make its tables. They are never edited once they are released. Default: none. */
  readonly migration?: readonly string[]
  /** Its tables whose rows end with `expires_at` and count for nothing then: they are deleted after 30 days. Default: none. */
  readonly expiring?: readonly string[]
  /** Makes the subjects of its limits that go with an account when it is erased. Default: none. */
  readonly limits?: (accountId: string) => readonly string[]
  /** Ends what was begun by mails to the address, which the account leaves in this transaction. Default: nothing. */
  readonly addressLeft?: (transaction: Kysely<Schema>, accountId: string, now: number) => Promise<void>
  /**
   * Ends what it has granted with credentials that no longer hold, in the transaction that changes them: of one account, or of every
   * one where none is named. Default: nothing.
   */
  readonly credentialsChanged?: (transaction: Kysely<Schema>, accountId: string | undefined) => Promise<void>
  /** The kinds of events that it records, each with the message `event.<kind>`. Default: none. */
  readonly events?: readonly AuditEvent[]
  /** What is done every hour. Default: nothing. */
  readonly hourly?: readonly HourlyWork[]
  /** What it adds to pages of others. Default: nothing. */
  readonly slots?: Partial<Slots>
  /** Gives its templates there what they need. Default: they need nothing, and are always there. */
  readonly slotData?: new () => SlotData
  /** What it does at sign-in. Default: nothing. */
  readonly signIn?: new () => SignInStep
}

/** The parts of this application, for services: `inject(Parts)`. */
export class Parts {
  /** All of them, in the order of `parts.ts`. */
  readonly all: readonly Part[]

  /**
   * @param all The parts.
   * @throws {Error} If two have the same name, or one needs a part that is not there.
   */
  constructor(all: readonly Part[]) {
    const names = all.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined)
      throw new Error(`Cannot have two parts "${twice}": use another name for one of them`)
    for (const { name, needs = [] } of all) {
      const missing = needs.find((part) => !all.includes(part))
      if (missing !== undefined)
        throw new Error(
          `Cannot use the part "${name}" without "${missing.name}": add that one to parts.ts, too`,
        )
    }
    this.all = all
  }

  /**
   * @param slot Place on a page.
   * @returns The templates that parts add there, in the order of the parts.
   */
  slot(slot: keyof Slots): readonly string[] {
    return this.all.flatMap((part) => part.slots?.[slot] ?? [])
  }
}
