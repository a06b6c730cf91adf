/**
 * Several requests of one browser at once, judged by every order in which they may have come and left.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Clock } from 'sallyport'
import { type CookieChange, RequestSession } from '../../../src/session/internal.ts'
import type { SessionData, SessionStore } from 'sallyport/session'
import { POLICY } from '../lifecycle/application.ts'
import { Model, Visit } from '../lifecycle/model.ts'

/** What a request does with its session; a write has a key of its own. */
export type Deed = 'read' | 'write' | 'remove' | 'rotate' | 'logout' | 'login' | 'end'
/** All of them. */
export const DEEDS: readonly Deed[] = ['read', 'write', 'remove', 'rotate', 'logout', 'login', 'end']

/** Where a trial runs. */
export interface Ground {
  readonly store: SessionStore
  readonly clock: Clock
}

/** What is left of a trial. */
export interface Outcome {
  /** What the response to each request does to the cookie, and what stands under its new identifier. */
  readonly replies: readonly string[]
  /** What stands under the identifier that all of them sent. */
  readonly old: string
}

interface Target {
  set(key: string, value: string): unknown
  remove(key: string): unknown
}

/** A browser that is signed in and has an entry. */
export async function signedIn(ground: Ground): Promise<string> {
  const session = visit(ground, undefined)
  await session.set('_auth', 'ada')
  await session.set('start', '1')
  const cookie = await end(session)
  assert.ok(cookie !== null && cookie !== '')
  return cookie
}

/** One request from its first moment to its last. */
export async function request(
  ground: Ground,
  cookie: string,
  deed: Deed,
  index: number,
): Promise<CookieChange> {
  const session = visit(ground, cookie)
  await session.has('start')
  if (deed === 'end') await session.destroy()
  if (['rotate', 'logout', 'login'].includes(deed)) await session.regenerateId()
  for (const change of changesOf(deed, index)) await change(session)
  return end(session)
}

/** What stands after a trial. */
export async function outcomeOf(
  ground: Ground,
  cookie: string,
  changes: readonly CookieChange[],
): Promise<Outcome> {
  const replies = await Promise.all(
    changes.map(async (change) =>
      change === null || change === '' ? nameOf(change) : `new: ${await recordOf(ground, change)}`,
    ),
  )
  return { replies, old: await recordOf(ground, cookie) }
}

/** Every outcome that some order of coming and leaving explains, as JSON. */
export function explanationsOf(deeds: readonly Deed[]): ReadonlySet<string> {
  const name = deeds.join()
  const known = explanations.get(name)
  if (known !== undefined) return known
  const steps = deeds.flatMap((_, index) => [index, index])
  const made = new Set(ordersOf(steps).map((order) => JSON.stringify(explain(deeds, order))))
  explanations.set(name, made)
  return made
}

/** Fails unless some order explains an outcome. */
export function assertExplained(deeds: readonly Deed[], outcome: Outcome, said: string): void {
  const explained = explanationsOf(deeds)
  if (!explained.has(JSON.stringify(outcome))) {
    assert.fail(
      `No order of ${deeds.join(', ')} explains ${JSON.stringify(outcome)} (${said}); possible: ${[...explained].join(' ')}`,
    )
  }
}

const explanations = new Map<string, ReadonlySet<string>>()

function explain(deeds: readonly Deed[], order: readonly number[]): Outcome {
  const model = new Model(0, 1)
  const first = new Visit(model, null)
  first.set('_auth', 'ada')
  first.set('start', '1')
  const old = first.commit()
  assert.ok(typeof old === 'number')
  const visits = new Map<number, Visit>()
  const changes: (number | 'expired' | null)[] = deeds.map(() => null)
  for (const index of order) {
    const visit = visits.get(index)
    if (visit === undefined)
      visits.set(index, modelRequest(model, old, { deed: deeds[index] ?? 'read', index }))
    else changes[index] = visit.commit()
  }
  const replies = changes.map((change) =>
    typeof change === 'number' ? `new: ${modelRecordOf(model, change)}` : nameOf(change === null ? null : ''),
  )
  return { replies, old: modelRecordOf(model, old) }
}

function modelRequest(model: Model, id: number, { deed, index }: { deed: Deed; index: number }): Visit {
  const visit = new Visit(model, id)
  if (deed === 'end') visit.destroy()
  if (['rotate', 'logout', 'login'].includes(deed)) visit.rotate()
  for (const change of changesOf(deed, index)) void change(visit)
  return visit
}

function changesOf(deed: Deed, index: number): readonly ((target: Target) => unknown)[] {
  switch (deed) {
    case 'write':
    case 'rotate':
      return [(target) => target.set(`w${index}`, '1')]
    case 'remove':
      return [(target) => target.remove('start')]
    case 'logout':
      return [(target) => target.remove('_auth')]
    case 'login':
      return [(target) => target.set('_auth', `eve${index}`)]
    default:
      return []
  }
}

async function recordOf({ store }: Ground, cookie: string): Promise<string> {
  const record = await store.read(cookie.slice(0, 2) + hash('sha256', cookie, 'base64url'))
  if (record === null) return 'nothing'
  return record.ended ? 'ended' : entriesText(ownKeys(record.data), record.data.get('_auth'))
}

// What describes the session for its account follows from the identity; test/auth/account-sessions proves it.
function ownKeys(data: SessionData): string[] {
  return [...data.keys()].filter((key) => key !== '_account')
}

function modelRecordOf(model: Model, id: number): string {
  const record = model.find(id)
  if (record === undefined) return 'nothing'
  if (record.successor !== undefined) return 'ended'
  const who = record.entries.get('_auth')
  return entriesText([...record.entries.keys()], who === undefined ? undefined : JSON.stringify(who))
}

function entriesText(keys: readonly string[], who: string | undefined): string {
  return `${[...keys].sort().join('+')} of ${who ?? 'nobody'}`
}

function nameOf(change: '' | null): string {
  return change === null ? 'nothing' : 'expired'
}

function visit({ store, clock }: Ground, cookie: string | undefined): RequestSession {
  return new RequestSession({ store, clock, policy: POLICY }, cookie)
}

async function end(session: RequestSession): Promise<CookieChange> {
  return session.seal() ? session.commit() : null
}

function ordersOf(steps: readonly number[]): number[][] {
  if (steps.length === 0) return [[]]
  return [...new Set(steps)].flatMap((step) =>
    ordersOf(steps.toSpliced(steps.indexOf(step), 1)).map((rest) => [step, ...rest]),
  )
}
