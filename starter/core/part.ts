import type { Limit } from 'sallyport-app/limits'
import type { Kysely, Transaction } from 'kysely'
import type { App, Module, ModuleDefinition } from 'sallyport'
import type { Mailer } from 'sallyport-app/mail'
import { PartList } from 'sallyport-app/parts'
import type { Schema } from './database/schema.ts'
import type { AuditEvent } from './audit/audit-trail.ts'
import type { DueMails } from './mail/mails.ts'
import type { ObjectionLinks } from './mail/objection-links.ts'
import type { Texts } from './messages/language.ts'
import type { PartFactors } from './factors/part-factors.ts'
import type { PartOperations } from './operations/part-operations.ts'
import type { Settings } from './settings.ts'
import type { SignInStep } from './sign-in-step.ts'
import type { SlotData, Slots } from './slots.ts'

/** Something that is under way with an account, and ends at a time. */
export interface AccountCondition {
  readonly accountId: string
  /** What it is: the page of the account has the message `admin.condition.<kind>`. */
  readonly kind: string
  /** What marks it in a list of accounts, such as `deletion`: the message `admin.mark.<mark>`. */
  readonly mark: string
  /** Unix timestamp: from then on the account is erased, or else it is over. */
  readonly until: number
}

/** Whom the owner of an account asks about what others did: `asked` where the owner may have asked them for it. */
export type NoticeOfOthers = 'done' | 'asked'

/** What stopped with the credentials of an account. */
export interface Stopped {
  /** Message of a sentence about it. */
  readonly id: string
  /** What it is, by the names that its owner gave. */
  readonly names: readonly string[]
  /** The page where it is, without the base path. */
  readonly path: string
}

/** Something that a program may be allowed by a token. */
export interface Scope {
  /** Its name; that of a permission where it needs one. */
  readonly name: string
  /** Whether any account may allow it, for its own data. Default: only one that has the permission of the same name. */
  readonly isOwn?: boolean
}

/**
 * What comes and goes with a folder of `parts/` and its line in `parts.ts`. A part gives the core whatever it needs of this, and the
 * core asks for nothing else: it names no part.
 */
export interface Part extends PartFactors, PartOperations {
  /** Its name, in kebab case: that of the folder and of its views, as in `name::page`. */
  readonly name: string
  /** Parts that it builds upon. Default: none. */
  readonly needs?: readonly Part[]
  /** Its modules in an application with these settings. Default: none. */
  readonly modules?: (settings: Settings, mailer: Mailer, parts: Parts) => readonly ModuleDefinition[]
  /** Adds what no module of its own can have to the module at the root, such as routes that begin with a placeholder. Default: nothing. */
  readonly root?: (root: Module) => void
  /** Folder of its templates. Default: none. */
  readonly views?: URL
  readonly texts?: Texts
  /** Its limits of one account: what they have counted goes with it. Default: none. */
  readonly limits?: readonly Limit[]
  /** Ends what it has granted with credentials, in the transaction that changes them: of one account, or of every one. Default: nothing. */
  readonly credentialsChanged?: (
    transaction: Transaction<Schema>,
    accountId: string | undefined,
  ) => Promise<void>
  /** Names what has stopped with them and waits for its owner, for the mail about the change; undefined for nothing. Default: nothing. */
  readonly stopped?: (
    database: Kysely<Schema>,
    accountId: string,
    now: number,
  ) => Promise<Stopped | undefined>
  /** The kinds of events that it records, each with the message `event.<kind>`. Default: none. */
  readonly events?: readonly AuditEvent[]
  /** Its notices about what others did. Default: none. */
  readonly noticesOfOthers?: Readonly<Record<string, NoticeOfOthers>>
  /** Runs around the transaction with which an account asks to leave, and may refuse it by an exception. Default: nothing is refused. */
  readonly leaving?: <T>(transaction: Transaction<Schema>, leave: () => Promise<T>) => Promise<T>
  /** Mails about what ends or begins at a time. Default: none. */
  readonly dueMails?: readonly DueMails[]
  /** Permissions of accounts, each with the message `permission.<name>`, where a hyphen stands for the point. Default: none. */
  readonly permissions?: readonly string[]
  /** What a token of a program may be made for, each with the same message. Default: nothing. */
  readonly scopes?: readonly Scope[]
  /** Says what is under way with accounts, for those who administer them. Default: nothing. */
  readonly conditions?: (
    database: Kysely<Schema>,
    accountIds: readonly string[],
    now: number,
  ) => Promise<readonly AccountCondition[]>
  /** Template that warns the owner of an account on every page; undefined for none. Default: none. */
  readonly warning?: (database: Kysely<Schema>, accountId: string) => Promise<string | undefined>
  /** Makes the links "this was not me" of notices. Default: they say what to do by hand. */
  readonly objectionLinks?: new () => ObjectionLinks
  /** Templates that it adds to pages of others. Default: none. */
  readonly slots?: Partial<Slots>
  /** Gives its templates there what they need. Default: they need nothing, and are always there. */
  readonly slotData?: new () => SlotData
  /** What it does at sign-in. Default: nothing. */
  readonly signIn?: new () => SignInStep
}

/** The parts of this application, for services: `inject(Parts)`. */
export class Parts extends PartList<Part> {
  /** Where somebody is led on who has no factor at hand; undefined where nothing does, so that the sign-in ends. */
  get lostFactors(): string | undefined {
    return this.all.find(({ lostFactors }) => lostFactors !== undefined)?.lostFactors
  }

  /** @returns Templates that warn its owner. */
  warnings(database: Kysely<Schema>, accountId: string): Promise<readonly string[]> {
    return this.answers(({ warning }) => warning?.(database, accountId))
  }

  /** @returns What an operator should mend. */
  findings(app: App): Promise<readonly string[]> {
    return this.answers(({ finding }) => finding?.(app))
  }
}
