import { createHash, randomBytes } from 'node:crypto'
import type { HttpContext } from 'sallyport'
import { hostCookieName } from '../sessions/cookie-names.ts'

// The value is "<id>.<secret>": the identifier of the row, a UUID, and 32 random bytes in base64url. A browser has one such
// cookie. Where several people sign in with one browser, it belongs to the last one who asked for it.
const NAME = 'device'
const SECRET_BYTES = 32
const SHAPE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/

/** What the cookie of a trusted browser says. */
export interface DeviceToken {
  /** Identifier of its row, which stays. */
  readonly id: string
  /** Its secret, which each use replaces. */
  readonly secret: string
}

/**
 * @param id Identifier of the row.
 * @returns A token that nobody knows.
 */
export function createDeviceToken(id: string): DeviceToken {
  return { id, secret: randomBytes(SECRET_BYTES).toString('base64url') }
}

/**
 * The secret is random and long, so a plain digest is enough.
 *
 * @param token A token.
 * @returns What is stored of it.
 */
export function deviceDigest({ id, secret }: DeviceToken): string {
  return createHash('sha256').update(`trusted-device:${id}.${secret}`).digest('base64url')
}

/**
 * @param context Context of the request.
 * @returns The token of its browser; undefined when it has none, or what it sends is malformed.
 */
export function readDeviceCookie(context: HttpContext): DeviceToken | undefined {
  const [, id, secret] = SHAPE.exec(context.cookies().get(hostCookieName(context, NAME)) ?? '') ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/**
 * @param context Context of the request.
 * @param token Token that its browser keeps.
 * @param maxAgeSeconds For how long.
 */
export function keepDeviceCookie(
  context: HttpContext,
  { id, secret }: DeviceToken,
  maxAgeSeconds: number,
): void {
  context.cookies().set(hostCookieName(context, NAME), `${id}.${secret}`, { maxAgeSeconds })
}

/**
 * @param response A response, with its cookies.
 * @param context Context of its request.
 * @param token A token.
 * @returns Whether the response has the browser keep it.
 */
export function isSentWith(response: Response, context: HttpContext, { id, secret }: DeviceToken): boolean {
  const start = `${hostCookieName(context, NAME)}=${id}.${secret};`
  return response.headers.getSetCookie().some((line) => line.startsWith(start))
}

/**
 * @param context Context of the request, whose browser forgets its token.
 */
export function forgetDeviceCookie(context: HttpContext): void {
  context.cookies().delete(hostCookieName(context, NAME))
}
