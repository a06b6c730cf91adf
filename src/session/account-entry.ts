import { hash } from 'node:crypto'
import type { Json } from '../core/index.ts'
import { publish, randomBytes } from '../core/internal.ts'
import { ACCOUNT_KEY, IDENTITY_KEY } from './identity-key.ts'
import { valueOf } from './json-text.ts'
import { digestIn } from './session-identifier.ts'
import type { SessionPolicy } from './session-policy.ts'
import type { SessionChanges, SessionData, SessionRecord } from './session-store.ts'

/*
 * The session of an account has an entry that describes it, as JSON: { "handle": "<22 characters>", "details": { … } }.
 *
 * The handle names the session for its account as long as the same account is signed in, through every rotation. It is
 * random, so it tells nothing about the identifier, and nobody can sign in with it. A session that was signed in before the
 * entry existed gets a handle from the digest of its identifier, so that requests at the same time agree.
 *
 * The owner of a record is 43 characters of base64url: SHA-256 of "sallyport account", NUL, the name of the cookie, NUL and
 * the account reference. Areas that share a store so have different accounts.
 */

/** Maximum size of the details, in bytes of JSON. */
export const MAX_DETAILS_BYTES = 2048

const HANDLE = /^[A-Za-z0-9_-]{22}$/
// How `accountText()` begins. Most writes need to know no more of the entry.
const DESCRIBED = /^\{"handle":"[A-Za-z0-9_-]{22}","details":\{/
const HANDLE_BYTES = 16
const NO_DETAILS = '{}'

/** What the entry says. */
export interface AccountEntry {
  /** Names the session for its account. */
  readonly handle: string
  /** What the application chose to keep with the session. */
  readonly details: { readonly [key: string]: Json }
}

/**
 * @param identifier Account reference.
 * @param policy Policy of the area.
 * @returns The owner of the account's sessions, for stores.
 */
export function ownerOf(identifier: string, policy: SessionPolicy): string {
  return hash('sha256', `sallyport account\0${policy.area}\0${identifier}`, 'base64url')
}

/** Entries of a session, as a store or a request has them. */
export type Entries = Pick<SessionData, 'get'>

/**
 * @param data Entries of a session.
 * @returns The account that is signed in; null when there is none.
 */
export function accountOf(data: Entries): string | null {
  return accountIn(data.get(IDENTITY_KEY))
}

/**
 * @param id Digest of the session's identifier.
 * @param data Its entries.
 * @returns What describes it; without an entry, a handle made from the digest.
 */
export function accountEntryOf(id: string, data: Entries): AccountEntry {
  return parseEntry(data.get(ACCOUNT_KEY)) ?? { handle: handleFrom(id), details: {} }
}

/**
 * @param identifier Account reference.
 * @param id Digest of the session's identifier.
 * @param data Its entries.
 * @returns Its handle if that account is signed in, otherwise null.
 */
export function handleFor(identifier: string, id: string, data: Entries): string | null {
  return accountOf(data) === identifier ? accountEntryOf(id, data).handle : null
}

/**
 * @param handle The handle that the session keeps; null for a new one.
 * @param details JSON of the details. Default: none.
 * @returns The JSON of the entry.
 */
export function accountText(handle: string | null, details: string = NO_DETAILS): string {
  const kept = handle ?? randomBytes(HANDLE_BYTES).toString('base64url')
  return `{"handle":${JSON.stringify(kept)},"details":${details}}`
}

/**
 * Completes changes by what follows from the identity: the owner of the record, and the entry that describes the session.
 * So they are right whoever changes the identity, and a session from before there were owners gets its own with its next
 * write.
 *
 * @param changes The changes.
 * @param id Digest of the identifier whose record they apply to.
 * @param record That record; for a new session one without entries.
 * @param policy Policy of the area.
 * @returns The changes to write.
 */
export function withAccount(
  changes: SessionChanges,
  {
    id,
    record,
    policy,
  }: { id: string; record: Pick<SessionRecord, 'data' | 'owner'>; policy: SessionPolicy },
): SessionChanges {
  if (isSettled(changes, record)) return changes
  const before = accountOf(record.data)
  const after = accountAfter(changes, record.data)
  if (after === null)
    return before === null && !changes.removed.has(IDENTITY_KEY) ? changes : withoutAccount(changes)
  const owner = ownerOf(after, policy)
  const entry = missingEntry(changes, { id, data: record.data, isSame: before === after })
  if (owner === record.owner && entry === null) return changes
  return {
    set: entry === null ? changes.set : new Map(changes.set).set(ACCOUNT_KEY, entry),
    removed: changes.removed,
    owner,
  }
}

// Nothing follows from a change beside the account of a session that has an owner and an entry: they were written together.
function isSettled(
  { set, removed }: SessionChanges,
  { data, owner }: Pick<SessionRecord, 'data' | 'owner'>,
): boolean {
  if (set.has(IDENTITY_KEY) || removed.has(IDENTITY_KEY)) return false
  if (set.has(ACCOUNT_KEY) || removed.has(ACCOUNT_KEY)) return false
  if (!data.has(IDENTITY_KEY)) return true
  return (owner ?? null) !== null && DESCRIBED.test(data.get(ACCOUNT_KEY) ?? '')
}

function withoutAccount({ set, removed }: SessionChanges): SessionChanges {
  const kept = new Map(set)
  kept.delete(ACCOUNT_KEY)
  return { set: kept, removed: new Set(removed).add(ACCOUNT_KEY), owner: null }
}

function missingEntry(
  { set }: SessionChanges,
  { id, data, isSame }: { id: string; data: SessionData; isSame: boolean },
): string | null {
  if (set.has(ACCOUNT_KEY)) return null
  if (!isSame) return accountText(null)
  return parseEntry(data.get(ACCOUNT_KEY)) === null ? accountText(handleFrom(id)) : null
}

function accountAfter({ set, removed }: SessionChanges, data: SessionData): string | null {
  const text = set.get(IDENTITY_KEY)
  if (text !== undefined) return accountIn(text)
  return removed.has(IDENTITY_KEY) ? null : accountOf(data)
}

function accountIn(text: string | undefined): string | null {
  const value = text === undefined ? undefined : parsed(text)
  return typeof value === 'string' && value !== '' ? value : null
}

function parseEntry(text: string | undefined): AccountEntry | null {
  if (text === undefined) return null
  const entry = entryIn(parsed(text))
  if (entry === null) publish('session-malformed', { part: 'entry', key: ACCOUNT_KEY })
  return entry
}

function entryIn(value: unknown): AccountEntry | null {
  if (typeof value !== 'object' || value === null || !('handle' in value) || !('details' in value))
    return null
  const { handle, details } = value
  if (typeof handle !== 'string' || !HANDLE.test(handle) || !isObject(details)) return null
  return { handle, details }
}

// It was parsed from JSON.
function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return valueOf(text)
  } catch {
    return undefined
  }
}

// A store may have kept the digest alone.
function handleFrom(id: string): string {
  return hash('sha256', `sallyport handle\0${digestIn(id)}`, 'base64url').slice(0, 22)
}
