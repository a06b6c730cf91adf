import type { HttpContext } from '../context/index.ts'
import type { LightResponse } from '../http/internal.ts'

// Directives that let a shared cache keep an answer, or that take `no-store` back (RFC 9111 section 5.2.2.3).
const PUBLIC: ReadonlySet<string> = new Set(['public', 's-maxage', 'proxy-revalidate', 'must-understand'])
// One directive with its value, and the comma behind it. A quoted value may hold commas.
const DIRECTIVE = /\s*([\w!#$%&'*+.^`|~-]+)(?:=("(?:[^"\\]|\\.)*"|[^\s",;]*))?\s*(?:,|$)/y

/**
 * Keeps answers that belong to one client out of shared caches, whatever the action set: an answer to somebody signed
 * in, one that depends on the session, one that sets a cookie. Says in `Vary` that the language was negotiated.
 *
 * | the answer | says nothing itself | says that everybody may keep it |
 * |---|---|---|
 * | somebody is signed in | `no-store` | `private`, the rest as it was |
 * | depends on the session | `private, no-cache` | `private`, the rest as it was |
 * | sets another cookie | `private` | `private`, the rest as it was |
 *
 * @param response Takes the headers.
 * @param context Context of the request.
 * @see RFC 9111 section 5.2; RFC 9213 for `CDN-Cache-Control` and its like, which outrank `Cache-Control`.
 */
export function limitCaching(response: LightResponse, context: HttpContext): void {
  const preset = presetFor(response, context)
  if (preset !== null) limit(response, preset)
  if (context.variesByLanguage()) addVary(response, 'Accept-Language')
}

function presetFor(response: LightResponse, context: HttpContext): string | null {
  if (context.isSignedIn()) return 'no-store'
  if (context.openedSession()?.isUsed === true) return 'private, no-cache'
  return response.header('set-cookie') === null ? null : 'private'
}

function limit(response: LightResponse, preset: string): void {
  const others = namesForSharedCaches(response)
  for (const name of others) response.headers.delete(name)
  if (response.header('cache-control') === null) return response.setConstant('cache-control', preset)
  // All lines of that name, for a cache reads them as one.
  const value = response.headers.get('cache-control') ?? ''
  const limited = asPrivate(value) ?? preset
  if (limited !== value) response.headers.set('cache-control', limited)
}

// What speaks to shared caches alone, and outranks `Cache-Control` there. An `Expires` beside it is older still.
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

// The value when it is private already; null when it cannot be read.
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
    // With a list of fields it speaks of these alone: the answer may be kept without them.
    else if (name === 'private') isPrivate ||= found[2] === undefined
    else {
      isPrivate ||= name === 'no-store' && found[2] === undefined
      kept.push(found[2] === undefined ? name : `${name}=${found[2]}`)
    }
  }
  return isPrivate && !isPublic ? value : ['private', ...kept].join(', ')
}

function addVary(response: LightResponse, name: string): void {
  if (response.header('vary') === null) return response.setConstant('vary', name)
  const value = response.headers.get('vary') ?? ''
  const names = value.split(',').map((part) => part.trim().toLowerCase())
  if (names.includes('*') || names.includes(name.toLowerCase())) return
  response.headers.set('vary', `${value}, ${name}`)
}
