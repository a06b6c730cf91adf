import { createHash, randomBytes } from 'node:crypto'
import type { HttpContext } from 'sallyport'
import { hostCookieName } from 'sallyport-app/pages'

// A token is "<id>.<secret>": the identifier of the row, a UUID, which stays, and 32 random bytes in base64url, which each use replaces.
// A browser has one, in a cookie. Where several people sign in with one browser, it belongs to the last one who asked for it.
const NAME = 'device'
const SECRET_BYTES = 32
const ID_CHARACTERS = 36
const SHAPE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]{43}$/

/** @returns A token that nobody knows. */
export function createToken(id: string): string {
  return `${id}.${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** @returns Identifier of its row. */
export function idOf(token: string): string {
  return token.slice(0, ID_CHARACTERS)
}

/**
 * The secret is random and long, so a plain digest is enough.
 *
 * @returns What is stored of it.
 */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(`trusted-browser:${token}`).digest('base64url')
}

/** @returns The token of its browser; undefined when it has none, or what it sends is malformed. */
export function readToken(context: HttpContext): string | undefined {
  const value = context.cookies().get(hostCookieName(context, NAME)) ?? ''
  return SHAPE.test(value) ? value : undefined
}

export function keepToken(context: HttpContext, token: string, maxAgeSeconds: number): void {
  context.cookies().set(hostCookieName(context, NAME), token, { maxAgeSeconds })
}

export function forgetToken(context: HttpContext): void {
  context.cookies().delete(hostCookieName(context, NAME))
}
