/**
 * The data shared by all contestants: users, and the settings of the harness. README.md has the contract.
 *
 * @module
 */
import { readFileSync } from 'node:fs'

/** Someone who logs in. */
export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly permissions: readonly string[]
}

/** A row of the page of scenario 8. */
export interface Happening {
  readonly text: string
  readonly from: string
  readonly time: string
  readonly article: number
}

/** A route of scenario 3. A segment that begins with `:` is a placeholder. */
export interface TableRoute {
  readonly id: number
  readonly method: string
  readonly path: string
}

/** The permission that `GET /me` asks for: users with an even number have it. */
export const neededPermission = 'article.read'

/** For contestants with signed sessions or tokens. */
export const secret = 'only-for-the-bench-only-for-the-bench-only-for-the-bench'

/** Settings of the harness for one process. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly scenario: number
  /** Redis server for the sessions of scenario 5; empty in the others. */
  readonly redisUrl: string
}

/** Settings of this process. */
export const settings: Settings = {
  port: Number(process.env.PORT ?? 3000),
  host: process.env.HOST ?? '127.0.0.1',
  scenario: Number(process.env.SCENARIO ?? 1),
  redisUrl: process.env.REDIS_URL ?? '',
}

const users: ReadonlyMap<string, User> = new Map(
  Array.from({ length: 200 }, (_, number): [string, User] => {
    const permissions = number % 2 === 0 ? [neededPermission, 'article.write'] : ['article.write']
    return [
      `u${number}`,
      { id: `u${number}`, name: `User ${number}`, email: `u${number}@example.test`, permissions },
    ]
  }),
)

/**
 * Loads a user, asynchronously like a database would.
 *
 * @param id For example `u42`.
 * @returns The user; null when there is none.
 */
export async function findUser(id: string): Promise<User | null> {
  return users.get(id) ?? null
}

/**
 * Loads what happened to a user, made anew for each request, as rows of a database are.
 *
 * @param id For example `u42`.
 * @returns Twelve rows; their text must be escaped.
 */
export async function findEvents(id: string): Promise<readonly Happening[]> {
  return Array.from({ length: id === '' ? 0 : 12 }, (_, number) => ({
    text: `Signed in <b>from</b> "browser" & phone ${number}`,
    from: `192.0.2.${number}`,
    time: `2026-11-21T10:${10 + number}:00Z`,
    article: 10 + number,
  }))
}

/**
 * Makes the body of `GET /me`.
 *
 * @param user The caller.
 * @returns The public fields.
 */
export function publicUser({ id, name, permissions }: User): Omit<User, 'email'> {
  return { id, name, permissions }
}

/**
 * Reads the routes of scenario 3 from the file that TABLE names.
 *
 * @returns The routes.
 * @throws {TypeError} If TABLE is not set.
 */
export function readTable(): TableRoute[] {
  if (process.env.TABLE === undefined) throw new TypeError('Cannot read the routes: TABLE names no file')
  // The harness wrote it: lib/table.ts.
  return JSON.parse(readFileSync(process.env.TABLE, 'utf8')) as TableRoute[]
}
