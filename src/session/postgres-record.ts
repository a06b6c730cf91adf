import type { Lifetime, SessionChanges, SessionData, SessionRecord } from './session-store.ts'
import { storedEntries } from './stored-entries.ts'

/** A row of the table, as statements return it. */
export interface PostgresRow {
  readonly id: string
  readonly data: string
  readonly successor: string | null
  readonly ended: boolean
  readonly created_at: number
  readonly expires_at: number
  readonly owner: string | null
}

/**
 * @param lifetime Lifetime of a record.
 * @returns Whole milliseconds, as the columns hold them.
 */
export function timesOf({ createdAt, expiresAt }: Lifetime): [number, number] {
  return [Math.floor(createdAt), Math.floor(expiresAt)]
}

/**
 * @param changes Changes.
 * @returns The keys to remove, as they are stored.
 */
export function removedKeys({ removed }: SessionChanges): string[] {
  return [...removed].map((key) => JSON.stringify(key))
}

/**
 * @param data Entries.
 * @returns The entries as they are stored.
 */
export function dataText(data: SessionData): string {
  return JSON.stringify(Object.fromEntries([...data].map(([key, text]) => [JSON.stringify(key), text])))
}

/**
 * @param owner Owner of changes.
 * @returns Value of the statements: null keeps the owner of the row, an empty string takes it away.
 */
export function ownerText(owner: string | null | undefined): string | null {
  return owner === undefined ? null : (owner ?? '')
}

/**
 * @param row A row.
 * @returns The record.
 * @throws {SyntaxError} If the row holds another value.
 */
export function recordOf({
  data,
  ended,
  successor,
  created_at,
  expires_at,
  owner,
}: PostgresRow): SessionRecord {
  return { data: parseData(data), ended, successor, createdAt: created_at, expiresAt: expires_at, owner }
}

function parseData(text: string): SessionData {
  return new Map(storedEntries(JSON.parse(text)).map(([key, value]) => [parseKey(key), value]))
}

function parseKey(text: string): string {
  const key: unknown = JSON.parse(text)
  if (typeof key !== 'string') throw new SyntaxError('Cannot read a session: one of its keys is not a string')
  return key
}
