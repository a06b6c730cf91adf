/** How a process dies during a request, and what is asserted of what it leaves behind. @module */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Closing } from 'sallyport-app/testing'
import { beforeStatements } from 'sallyport-app/testing/sql'
import { databases, ON_POSTGRES } from '../databases.ts'
import { World } from '../support.ts'
import { browserWith, type Deed, type Facts, personOf, type Ready } from './deed.ts'
import { type Ledger, ledgerOf } from './ledger.ts'
import { inspect, sessionsOnServer } from './wreck.ts'

const FILES = ['accounts.sqlite', 'sessions.sqlite'].flatMap((name) => [name, `${name}-wal`])

/** A request that was done in full, and what a kill would have left behind at each of its statements. */
export interface Course {
  /** Number of statements. */
  readonly statements: number
  /** What the person knew when the request was sent. */
  readonly facts: Facts
  /**
   * Folders: what is in the files before a statement, where that differs from before the last one, and after the last. None on PostgreSQL,
   * where there are no files to copy.
   */
  readonly images: readonly string[]
  /** What was in the databases before the request, and after it. */
  readonly ends: readonly [before: Remains, after: Remains]
}

/** What is in the databases. */
export interface Remains {
  /** The accounts. */
  readonly ledger: Ledger
  /** How many sessions are signed in. */
  readonly sessions: number
}

/** @returns The browser about to send it, and what its owner knows. */
export async function prepared(deed: Deed, world: World): Promise<Ready> {
  const { browser, facts } = await deed.prepare(world)
  const now = String(world.clock.timestamp())
  const isIn = browser.sessionId !== undefined && '_auth' in (await browser.session())
  return { browser, facts: { ...facts, cookie: browser.sessionId ?? '', isIn: String(isIn), now } }
}

/** Sends the request and copies the files between all its statements. The bytes in the files are what a killed process leaves. */
export async function courseOf(
  deed: Deed,
  { data, images: target }: { readonly data: string; readonly images: string },
): Promise<Course> {
  const closing = new Closing()
  const world = await World.open(closing, data)
  const { browser, facts } = await prepared(deed, world)
  const images: string[] = []
  const before = ON_POSTGRES ? await read(data) : undefined
  let statements = 0
  const take = (): void => {
    if (ON_POSTGRES) return
    const folder = join(target, String(images.length))
    const last = images.at(-1)
    if (last !== undefined && isCopy(data, last)) return
    mkdirSync(folder)
    for (const name of FILES)
      if (existsSync(join(data, name))) copyFileSync(join(data, name), join(folder, name))
    images.push(folder)
  }
  beforeStatements(() => {
    take()
    statements += 1
  })
  const page = await deed.act(browser, facts, world)
  beforeStatements(undefined)
  take()
  const { status = 200, html = '' } = page ?? {}
  assert.ok([200, 303].includes(status), `${deed.name}: ${status}\n${html}`)
  assert.deepEqual(world.faults, [])
  await closing.close()
  const [first = '', last = ''] = [images[0], images.at(-1)]
  const ends = [before ?? (await read(first)), await read(ON_POSTGRES ? data : last)] as const
  return { statements, facts, images, ends }
}

/** Restarts the application on what a dead process left behind, and asserts what must hold. */
export async function assertSurvived(
  deed: Deed,
  left: { readonly directory: string; readonly facts: Facts; readonly ends: Course['ends'] },
): Promise<boolean> {
  const { directory, facts } = left
  const [before, after] = left.ends
  assert.notDeepEqual(before.ledger, after.ledger, 'the request changes something')
  const { ledger, sessions } = await read(directory)
  const isDone = isDeepStrictEqual(ledger, after.ledger)
  if (!isDone) assert.deepEqual(ledger, before.ledger, 'all of it is done, or nothing')
  const most = before.sessions + (isDone && deed.signsIn === true ? 1 : 0)
  assert.ok(sessions <= most, `${sessions} sessions are signed in, and ${most} may be`)

  const closing = new Closing()
  const world = await World.open(closing, directory)
  world.clock.set(Number(facts['now']))
  try {
    const browser = browserWith(world, facts['cookie'] ?? '')
    const wasIn = facts['isIn'] === 'true'
    const isIn = await browser.isSignedIn()
    assert.ok(!isIn || wasIn, 'nobody is signed in by a response that never came')
    if (wasIn && !isDone) assert.ok(isIn, 'who was signed in still is')
    const other = facts['other'] ?? ''
    if (other !== '') assert.equal(await browserWith(world, other).isSignedIn(), !isDone)
    await deed.resume({ world, browser, person: personOf(facts), facts, isDone })
    assert.deepEqual(world.faults, [])
  } finally {
    await closing.close()
  }
  return isDone
}

async function read(directory: string): Promise<Remains> {
  const copy = `${directory}-copy`
  const { damage, torn, signedIn } = ON_POSTGRES
    ? { damage: [], ...(await sessionsOnServer(directory)) }
    : inspect(directory, copy)
  assert.deepEqual(damage, [], 'the databases are whole')
  assert.deepEqual(torn, [], 'nobody is in and waits for a code at once')
  const database = await databases.accounts(ON_POSTGRES ? directory : copy)
  try {
    return { ledger: await ledgerOf(database), sessions: signedIn.length }
  } finally {
    await database.destroy()
  }
}

function isCopy(one: string, other: string): boolean {
  return FILES.every((name) => bytesOf(one, name).equals(bytesOf(other, name)))
}

function bytesOf(folder: string, name: string): Buffer {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
}
