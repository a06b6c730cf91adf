/** What the tests of the core know of parts: a part says it in `parts/<name>/test/facts.ts`, as `facts`. @module */
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FactorKind, HeldKind } from '../core/factors/factor-kinds.ts'
import type { NoticeValues } from '../core/mail/notices.ts'
import type { Scene } from './browser/stage.ts'
import type { Settings } from '../core/settings.ts'
import type { Deed, Telling } from './crash/deed.ts'
import type { Bound } from './database/bound.ts'
import { deedOf, type MailLink } from './mail-link.ts'
import type { Browser, Person, World } from './support.ts'
import type { WayIn } from './ways-in.ts'
import { PARTS } from '../parts.ts'

const STARTER = new URL('..', import.meta.url)

/** Names or paths, each with a sentence about it. */
type Described = Readonly<Record<string, string>>

/** How a kind is proven at the second door. */
export interface Door {
  /** The kind. */
  readonly kind: FactorKind
  /** Path of its page, and of the form there. */
  readonly page: string
  /** Gives an account one, where accounts hold them. Default: nothing is held. */
  readonly hold?: (world: World, accountId: string) => Promise<unknown>
  /** Fills the form in, in a browser in which the password was proven, and leaves its page open. The account gets one for it. */
  readonly prove: (browser: Browser, world: World) => Promise<Described>
  /** The same form with what is never right. */
  readonly wrong: Described
}

/** Who does something to the account of somebody else, where it is no operator. */
export interface Administrator {
  readonly id: string
  readonly clientAddress: string
  readonly device: string
}

/** What parts do to accounts, for tests of others. */
export interface Acts {
  /** Adds an account. Gives the path of the link with which its owner chooses a password. */
  readonly addAccount: (
    world: World,
    account: { readonly email: string; readonly name: string },
  ) => Promise<string>
  readonly disable: (world: World, accountId: string, by?: Administrator) => Promise<unknown>
  readonly enable: (world: World, accountId: string, by?: Administrator) => Promise<unknown>
  readonly endSessions: (world: World, accountId: string) => Promise<unknown>
  readonly endEverybodysSessions: (world: World) => Promise<unknown>
  readonly resetFactors: (world: World, accountId: string) => Promise<unknown>
  /** Says that the factors of an account are lost: what replaces them waits. */
  readonly loseFactors: (world: World, person: Person) => Promise<unknown>
}

/** What a part says of itself. Everything is empty by default. */
export interface PartFacts {
  /** What it does to accounts, for tests of others. */
  readonly acts?: Partial<Acts>
  /** Settings with which all of it is there. */
  readonly settings?: Partial<Settings>
  /** Its environment variables that switch something on by 1, and what `check` says then. */
  readonly switches?: Described
  /** Its environment variables, each with what it does not take. */
  readonly malformed?: Readonly<Record<string, readonly string[]>>
  /** Its pages in their states. */
  readonly scenes?: readonly Scene[]
  /** Requests of it during which a process may die. */
  readonly deeds?: readonly Deed[]
  /** Further requests of it of which a mail tells. */
  readonly tellings?: readonly Telling[]
  /** Beginnings of paths that have no cookies and no pages, and why. */
  readonly programs?: Described
  /** What fills placeholders of its paths that do not take just anything. */
  readonly placeholders?: Described
  /** Beginnings of its paths that go on with the identifier of an account, and what they do with it. */
  readonly ofAccounts?: Described
  /** Files that tell a request who it is, and how, for `WAYS-IN.md`. */
  readonly identities?: Described
  /** Its forms that need a recent proof of password and factor, filled in. */
  readonly guarded?: Readonly<Record<string, Described>>
  /** Its tables that are read in full, and paths of its pages that read others so, and why. */
  readonly readInFull?: Described
  /** GET routes that show no page, and why. */
  readonly noPages?: Described
  /** Its kinds of proof at the second door, by what people call them. */
  readonly doors?: Readonly<Record<string, Door>>
  /** Its ways to be signed in, for `WAYS-IN.md`, by what people call them. */
  readonly waysIn?: Readonly<Record<string, WayIn>>
  /** Routes of the same controllers that sign nobody in, and what they do. */
  readonly beside?: Described
  /** The links of its mails that do something once, by what people call them. */
  readonly mailLinks?: Readonly<Record<string, MailLink>>
  /** What the forms behind other links of its mails do, by method and path, for `WAYS-IN.md`: none signs anybody in. */
  readonly links?: Described
  /** Forms that need no recent proof of password and factor, and why not. */
  readonly free?: Described
  /** Names of fields that no page of the core has, with what each needs to be filled in. */
  readonly fields?: Readonly<Record<string, Described>>
  /** Its tables with rows of an account, and what bounds each. */
  readonly lists?: Readonly<Record<string, Bound>>
  /** Queries for what its requests change in its tables, without anything random, by what they are about. */
  readonly ledger?: Described
  /** Its notices, with values for each. */
  readonly notices?: Partial<NoticeValues>
  /** Its texts that are the same in both languages, and why. */
  readonly alike?: Described
  /** What entries of a session let it do, by their keys. */
  readonly rights?: Described
  /** Its tables whose rows do not end with `expires_at`, and what becomes of them. */
  readonly kept?: Described
}

const FILES = globSync('parts/*/test/facts.ts', { cwd: fileURLToPath(STARTER) }).toSorted()
const ALL = await Promise.all(
  FILES.map(async (file) => {
    const { facts } = (await import(new URL(file, STARTER).href)) as { readonly facts: PartFacts }
    return withLinks(facts)
  }),
)

/** @returns The same, with what follows from the links of its mails. */
function withLinks(facts: PartFacts): PartFacts {
  const links = Object.entries(facts.mailLinks ?? {})
  return {
    ...facts,
    // A link that is bound to its browser is in no application without settings.
    deeds: [...(facts.deeds ?? []), ...links.filter(([, { isBound }]) => !isBound).map(deedOf)],
    links: {
      ...facts.links,
      ...Object.fromEntries(
        links.flatMap(([, { start, does }]) => (does === undefined ? [] : [[`POST ${start}{token}`, does]])),
      ),
    },
  }
}

/** @returns Why a test that needs them is skipped; false when all are there. */
export function missing(...names: readonly string[]): string | false {
  const without = names.filter((name) => !PARTS.some((part) => part.name === name))
  return without.length > 0 && `without ${without.join(' and ')}`
}

/** @returns What a part does. A test that needs it is skipped where the part is missing. */
export function act<Name extends keyof Acts>(name: Name): Acts[Name] {
  const found = ofParts('acts')[name]
  if (found === undefined) throw new TypeError(`No part does "${name}" to accounts`)
  return found as Acts[Name]
}

/** The scenes of all parts. */
export const SCENES_OF_PARTS: readonly Scene[] = ALL.flatMap(({ scenes = [] }) => scenes)

/** The requests of all parts during which a process may die. */
export const DEEDS_OF_PARTS: readonly Deed[] = ALL.flatMap(({ deeds = [] }) => deeds)

/** Further requests of all parts of which a mail tells. */
export const TELLINGS_OF_PARTS: readonly Telling[] = ALL.flatMap(({ tellings = [] }) => tellings)

/** @returns What all parts say of it. */
export function ofParts<Key extends Exclude<keyof PartFacts, 'scenes' | 'deeds' | 'tellings'>>(
  what: Key,
): NonNullable<PartFacts[Key]> {
  const entries = ALL.flatMap((facts) => Object.entries(facts[what] ?? {}))
  return Object.fromEntries(entries) as NonNullable<PartFacts[Key]>
}

/** The kinds of factors that accounts hold by parts: none of them is an authenticator app. */
export const HELD_BY_PARTS: readonly HeldKind[] = PARTS.flatMap(({ factorKinds = [] }) =>
  factorKinds.filter(({ isHeld }) => isHeld).map(({ kind }) => kind as HeldKind),
)
