/**
 * What browsers ask of the application, and what it has to answer.
 *
 * @module
 */
import { PENDING_SECONDS, type Shown, WITH_FACTOR } from './application.ts'
import type { Token, Visit } from './model.ts'

/** How many different notes there are. */
export const NOTES = 3

/** A request. Everything but a page is a form. */
export type Deed =
  | { readonly do: 'page' | 'logout' | 'flash' | 'rotate' | 'end' | 'restart' }
  | { readonly do: 'password'; readonly who: 'ada' | 'bob'; readonly isRight: boolean }
  | { readonly do: 'code'; readonly isRight: boolean }
  | { readonly do: 'note' | 'forget'; readonly key: number }

/** What the application answers. */
export interface Answer {
  readonly status: number
  /** What a page shows. */
  readonly shown?: Shown
  /** Token of the form on a page. */
  readonly token?: Token
  /** Who was signed in, as an accepted form says. */
  readonly as?: string | null
}

/** What a form needs beside its deed. */
export interface Circumstances {
  /** The token that was sent. */
  readonly token: Token | null
  /** What a password signs in as. */
  readonly identifier: string
  /** The present, in Unix milliseconds. */
  readonly now: number
}

/**
 * The rules of the application, on the model of a session.
 *
 * @param visit Session of the request.
 * @param deed What is asked.
 * @param circumstances What comes with it.
 * @returns The answer.
 */
export function answerTo(visit: Visit, deed: Deed, { token, identifier, now }: Circumstances): Answer {
  const as = (visit.get('_auth') as string | undefined) ?? null
  const seconds = Math.floor(now / 1000)
  if (deed.do === 'page') return page(visit, as, seconds)
  if (!visit.accepts(token)) return { status: 403 }
  switch (deed.do) {
    case 'password':
      return password(visit, { as, identifier, isRight: deed.isRight, seconds })
    case 'code':
      return code(visit, { as, isRight: deed.isRight, seconds })
    case 'logout':
      visit.remove('_2fa')
      leave(visit)
      break
    case 'note':
      visit.set(`note${deed.key}`, 1)
      break
    case 'forget':
      visit.remove(`note${deed.key}`)
      break
    case 'flash':
      addMessage(visit)
      break
    case 'rotate':
      visit.rotate()
      break
    case 'end':
      visit.destroy()
      break
    case 'restart':
      visit.destroy()
      visit.set('note0', 1)
      break
  }
  return { status: 200, as }
}

/**
 * @param deed A request.
 * @returns Method, path and fields of the form.
 */
export function requestOf(deed: Deed): { path: string; fields: Readonly<Record<string, string>> | null } {
  switch (deed.do) {
    case 'page':
      return { path: `/page/${NOTES}`, fields: null }
    case 'note':
    case 'forget':
      return { path: `/${deed.do}/${deed.key}`, fields: {} }
    case 'password':
      return { path: '/password', fields: { password: deed.isRight ? 'right' : 'wrong' } }
    case 'code':
      return { path: '/code', fields: { code: deed.isRight ? 'right' : 'wrong' } }
    default:
      return { path: `/${deed.do}`, fields: {} }
  }
}

function page(visit: Visit, who: string | null, seconds: number): Answer {
  const pending = pendingOf(visit, seconds)
  const keys = Array.from({ length: NOTES }, (_, key) => key)
  const notes = keys.filter((key) => visit.get(`note${key}`) !== undefined)
  const messages = messageKeys(visit)
  const flash = messages.map(() => 'message')
  for (const key of messages) visit.remove(key)
  return { status: 200, shown: { who, pending, notes, flash }, token: visit.token() }
}

function password(
  visit: Visit,
  {
    as,
    identifier,
    isRight,
    seconds,
  }: { as: string | null; identifier: string; isRight: boolean; seconds: number },
): Answer {
  if (as !== null) return { status: 409 }
  if (!isRight) return { status: 422 }
  if (!identifier.startsWith(`${WITH_FACTOR}#`)) return enter(visit, identifier)
  leave(visit)
  visit.set('_2fa', { identifier, expires_at: seconds + PENDING_SECONDS })
  return { status: 200, as: null }
}

function code(
  visit: Visit,
  { as, isRight, seconds }: { as: string | null; isRight: boolean; seconds: number },
): Answer {
  const pending = pendingOf(visit, seconds)
  if (as !== null || pending === null) {
    visit.remove('_2fa')
    return { status: 409 }
  }
  return isRight ? enter(visit, pending) : { status: 422 }
}

function enter(visit: Visit, identifier: string): Answer {
  visit.remove('_2fa')
  visit.rotateAnew()
  visit.remove('_auth')
  visit.set('_auth', identifier)
  visit.remove('_csrf')
  return { status: 200, as: null }
}

function leave(visit: Visit): void {
  visit.remove('_auth')
  visit.remove('_csrf')
  visit.rotateAnew()
}

function pendingOf(visit: Visit, seconds: number): string | null {
  const pending = visit.get('_2fa') as { identifier: string; expires_at: number } | undefined
  if (pending === undefined || seconds >= pending.expires_at) return null
  // The clock was set back: it would live longer than a challenge may.
  return pending.expires_at > seconds + PENDING_SECONDS ? null : pending.identifier
}

// As many as the framework keeps.
const MAX_MESSAGES = 20

function messageKeys(visit: Visit): string[] {
  return visit.keys().filter((key) => key.startsWith('_flash.'))
}

// A key for each message, in order: two requests that add one at once both keep theirs.
function addMessage(visit: Visit): void {
  const keys = messageKeys(visit)
  const number = Number.parseInt(keys.at(-1)?.split('.')[1] ?? '0', 36) + 1
  for (const key of keys.slice(0, Math.max(0, keys.length + 1 - MAX_MESSAGES))) visit.remove(key)
  const order = number.toString(36).padStart(8, '0')
  visit.set(`_flash.${order}.${visit.newMessage()}`, { kind: 'notice', text: 'message' })
}
