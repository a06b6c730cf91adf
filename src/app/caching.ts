import type { HttpContext } from '../context/index.ts'
import { addVary, type LightResponse } from '../http/internal.ts'

// Directives that let a shared cache store a response, or that revoke `no-store` (RFC 9111 section 5.2.2.3).
const PUBLIC: ReadonlySet<string> = new Set(['public', 's-maxage', 'proxy-revalidate', 'must-understand'])
// One directive with its value and the following comma. A quoted value may contain commas.
const DIRECTIVE = /\s*([\w!#$%&'*+.^`|~-]+)(?:=("(?:[^"\\]|\\.)*"|[^\s",;]*))?\s*(?:,|$)/y

/**
 * Keeps responses for one client out of shared caches, whatever the action has set: those to signed-in users, those that
 * depend on the session, those that set a cookie, those to credentials. `Vary` names a negotiated language and, of what the
 * browser may keep of a session or an account, the cookie or the credentials.
 *
 * | the response | sets no caching headers | allows shared caches |
 * |---|---|---|
 * | goes to a signed-in user | `no-store` | `private`, the rest unchanged |
 * | holds a CSRF token | `no-store` | `private`, the rest unchanged |
 * | depends on the session | `private, no-cache` | `private`, the rest unchanged |
 * | sets another cookie, or answers credentials in `Authorization` | `private` | `private`, the rest unchanged |
 *
 * A static file is the same for everybody who receives it. What a client receives that sent no session, anybody may have: it
 * stays public though a middleware looked for a session, unless it sets a cookie.
 *
 * @param response Receives the headers.
 * @param context Context of the request.
 * @see RFC 9111 sections 4.1 and 5.2; RFC 9213 for `CDN-Cache-Control` and similar headers, which override `Cache-Control`.
 */
export function limitCaching(response: LightResponse, context: HttpContext): void {
  const preset = presetFor(response, context)
  if (preset !== null) limit(response, preset)
  if (context.variesByLanguage()) addVary(response, 'Accept-Language')
  varyByClient(response, context)
}

// The next person at a browser must not get what it keeps of the one before: signing in and out changes the cookie.
function varyByClient(response: LightResponse, context: HttpContext): void {
  const usesSession = context.openedSession()?.isUsed === true
  if ((!usesSession && !context.isSignedIn()) || context.isShared) return
  const caching = response.header('cache-control') ?? ''
  if (caching === 'no-store' || /(?:^|,)\s*no-store\s*(?:,|$)/i.test(caching)) return
  const hasCredentials = context.header('authorization') !== null
  if (hasCredentials) addVary(response, 'Authorization')
  if (usesSession || !hasCredentials) addVary(response, 'Cookie')
}

function presetFor(response: LightResponse, context: HttpContext): string | null {
  // A browser that goes back to a form asks for it anew, with a token that is valid, and restores what was typed.
  if (context.isSignedIn() || context.hasIssuedToken()) return 'no-store'
  if (context.openedSession()?.isUsed === true && !context.isForAnybody) return 'private, no-cache'
  // RFC 9111 section 3.5 lets a shared cache store what a gate gave for credentials, if it is `public`.
  const isGated = context.header('authorization') !== null
  return isGated || response.header('set-cookie') !== null ? 'private' : null
}

function limit(response: LightResponse, preset: string): void {
  const others = namesForSharedCaches(response)
  for (const name of others) response.headers.delete(name)
  if (response.header('cache-control') === null) return response.setConstant('cache-control', preset)
  // All lines with that name, because a cache combines them.
  const value = response.headers.get('cache-control') ?? ''
  const limited = asPrivate(value) ?? preset
  if (limited !== value) response.headers.set('cache-control', limited)
}

// Headers for shared caches only, which override `Cache-Control` there. `Expires` is overridden by it.
function namesForSharedCaches(response: LightResponse): string[] {
  const lines = response.headerLines()
  const names: string[] = []
  for (let i = 0; i < lines.length; i += 2) {
    const name = lines[i] ?? ''
    const isMeant =
      name.endsWith('-cache-control') ||
      name === 'surrogate-control' ||
      name === 'edge-control' ||
      name === 'x-accel-expires' ||
      name === 'expires'
    if (isMeant) names.push(name)
  }
  return names
}

// The value, made private; null when it cannot be parsed.
function asPrivate(value: string): string | null {
  const kept: string[] = []
  let isPrivate = false
  let isPublic = false
  DIRECTIVE.lastIndex = 0
  while (DIRECTIVE.lastIndex < value.length) {
    const found = DIRECTIVE.exec(value)
    if (found === null) return null
    const name = (found[1] ?? '').toLowerCase()
    if (PUBLIC.has(name)) isPublic = true
    // With a list of fields, `private` covers only these: the response itself may still be stored.
    else if (name === 'private') isPrivate ||= found[2] === undefined
    else {
      isPrivate ||= name === 'no-store' && found[2] === undefined
      kept.push(found[2] === undefined ? name : `${name}=${found[2]}`)
    }
  }
  return isPrivate && !isPublic ? value : ['private', ...kept].join(', ')
}
