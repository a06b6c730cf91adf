/** What is asserted of the databases after a process died during a request, and of what its owner can do then. @module */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { Closing } from 'sallyport-app/testing'
import { beforeStatements } from 'sallyport-app/testing/sql'
import { ON_POSTGRES } from '../databases.ts'
import { World } from '../support.ts'
import { assertLeadsTo, assertSignsIn, browserWith, type Deed, personOf, type Ready } from './deed.ts'
import type { Facts, Owner, Request, Survivor } from './deed.ts'
import { type Ledger, ledgerOf } from './ledger.ts'

/** A request that was done in full. */
export interface Course {
  /** How many statements it needs. */
  readonly statements: number
  /** What was in the databases before it. */
  readonly before: Remains
  /** And after it. */
  readonly after: Remains
}

interface Remains {
  readonly ledger: Ledger
  /** How many sessions are signed in. */
  readonly sessions: number
}

/** @returns The browser about to send it, and what its owner knows. */
export async function prepared(request: Request, world: World): Promise<Ready> {
  const { browser, facts } = await request.prepare(world)
  const isIn = browser.sessionId !== undefined && '_auth' in (await browser.session())
  const { sessionId: cookie = '', page } = browser
  const now = String(world.clock.timestamp())
  return { browser, facts: { ...facts, cookie, page, isIn: String(isIn), now } }
}

/** Does the request, and counts its statements. */
export async function courseOf(deed: Deed): Promise<Course> {
  const closing = new Closing()
  const world = await World.create(closing)
  const { browser, facts } = await prepared(deed, world)
  const before = await remainsOf(world)
  let statements = 0
  beforeStatements(() => void (statements += 1))
  await assertActs(deed, { world, browser, facts })
  beforeStatements(undefined)
  const after = await remainsOf(world)
  assert.notDeepEqual(before.ledger, after.ledger, 'the request changes something')
  await closing.close()
  return { statements, before, after }
}

/** Starts the application on what a dead process left behind, and asserts what must hold. @returns Whether the request was done. */
export async function assertSurvived(
  deed: Deed,
  {
    directory,
    facts,
    course,
  }: { readonly directory: string; readonly facts: Facts; readonly course: Course },
): Promise<boolean> {
  const closing = new Closing()
  const world = await World.open(closing, directory)
  try {
    world.clock.set(Number(facts['now']))
    const { ledger, sessions } = await remainsOf(world)
    const isDone = isDeepStrictEqual(ledger, course.after.ledger)
    if (!isDone) assert.deepEqual(ledger, course.before.ledger, 'all of it is done, or nothing')
    const most = course.before.sessions + (isDone && deed.signsIn === true ? 1 : 0)
    assert.ok(sessions <= most, `${sessions} sessions are signed in, and ${most} may be`)
    const { cookie = '', other = '', pending = '' } = facts
    const browser = browserWith(world, cookie)
    const isIn = await browser.isSignedIn()
    if (facts['isIn'] !== 'true') assert.ok(!isIn, 'nobody is signed in by a response that never came')
    else if (!isDone) assert.ok(isIn, 'who was signed in still is')
    if (other !== '') assert.equal(await browserWith(world, other).isSignedIn(), !isDone)
    if (pending !== '')
      assert.equal((await browserWith(world, pending).open('/login/2fa')).status, isDone ? 303 : 200)
    await assertGoesOn(deed, { world, browser, person: personOf(facts), facts, isDone }, course.after.ledger)
    assert.deepEqual(world.faults, [])
    return isDone
  } finally {
    await closing.close()
  }
}

// What was not done can be sent again as it was; then its owner signs in, and what it has used up stays so.
async function assertGoesOn(deed: Deed, survivor: Survivor, after: Ledger): Promise<void> {
  const { world, browser, person, facts, isDone } = survivor
  if (deed.resume !== undefined) return deed.resume(survivor)
  if (!isDone) {
    if (facts['page'] !== undefined && facts['page'] !== '') await browser.open(facts['page'])
    await assertActs(deed, survivor)
    assert.deepEqual(await ledgerOf(world.database), after)
  }
  if (facts['other'] !== undefined) assert.equal(await browserWith(world, facts['other']).isSignedIn(), false)
  const { leaves = () => person } = deed
  const owner: Owner | undefined = leaves(person, facts)
  const thief = world.browser()
  if (owner === undefined) {
    assert.equal((await thief.password(person)).status, 422)
    return
  }
  if (facts['code'] !== undefined) {
    assertLeadsTo(await thief.password(owner, owner.password), '/login/2fa')
    const { status } = await thief.send(facts['door'] ?? '/login/2fa', { code: facts['code'] })
    assert.equal(status, 422, 'a used code is refused to somebody who knows the password, too')
  }
  await assertSignsIn(world, owner, owner.password)
}

async function assertActs(
  deed: Request,
  { world, browser, facts }: Pick<Survivor, 'world' | 'browser' | 'facts'>,
): Promise<void> {
  const { status = 200, html = '' } = (await deed.act(browser, facts, world)) ?? {}
  assert.ok([200, 303].includes(status), `${deed.name}: ${status}\n${html}`)
}

async function remainsOf({ database, directory }: World): Promise<Remains> {
  const query = 'SELECT CAST(data AS text) AS data FROM sallyport_session WHERE NOT ended'
  const rows = ON_POSTGRES
    ? (await sql.raw<Row>(query).execute(database)).rows
    : rowsOf(join(directory, 'sessions.sqlite'), query)
  const sessions = rows.map(({ data }) => JSON.parse(String(data)) as Readonly<Record<string, string>>)
  const signedIn = sessions.filter((entries) => '_auth' in entries)
  assert.ok(!signedIn.some((entries) => '_2fa' in entries), 'nobody is in and waits for a code at once')
  return { ledger: await ledgerOf(database), sessions: signedIn.length }
}

type Row = Readonly<Record<string, unknown>>

function rowsOf(path: string, query: string): readonly Row[] {
  const sessions = new DatabaseSync(path, { readOnly: true })
  try {
    return sessions.prepare(query).all()
  } finally {
    sessions.close()
  }
}
