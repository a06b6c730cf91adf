import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Chance, freePort } from 'sallyport-app/testing'
import { temporary } from '../support.ts'
import { Client } from './client.ts'
import { layAccounts, StarterProcess } from './starter-process.ts'
import { inspect, type Wreck } from './wreck.ts'

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 5)
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const CLIENTS = 8
const BACK_MILLISECONDS = 2000
const LOAD_MILLISECONDS = 2000
const MOMENTS = ['code', 'logout', 'any'] as const
const MOMENT_MILLISECONDS = { code: 40, logout: 250 }

// What a client does, by its number: most come in; some leave again; some never get beyond the first door.
const KINDS = ['enter', 'enter', 'enter', 'enter', 'leave', 'leave', 'guess', 'wait'] as const

describe('kill -9', () => {
  it(`during logins loses no session, signs nobody in and uses no code twice, ${ROUNDS} times [FACTOR-09 FLOW-05 FLOW-30]`, async (test) => {
    test.diagnostic(`play it again with CRASH_SEED=${SEED} CRASH_ROUNDS=${ROUNDS}`)
    const chance = new Chance(SEED)
    const directory = temporary(test)
    const people = await layAccounts(directory, peopleOf(ROUNDS))
    const variables = { TRUSTED_PROXIES: '127.0.0.1' }
    const port = await freePort()
    const firstBegan = performance.now()
    // The names of cookies end with the port, which must be known from the first start on.
    let starter = await StarterProcess.start({ directory, port, variables })
    const firstStart = performance.now() - firstBegan
    test.after(() => starter.stop())
    const clients: Client[] = []
    const backAfter: number[] = []
    const found: Record<string, number> = {}

    for (let round = 0; round < ROUNDS; round += 1) {
      const fresh = people.slice(round * CLIENTS, (round + 1) * CLIENTS).map(
        (person, index) =>
          // Separate addresses: an attempt being checked when the server died counts as a failure of the client.
          new Client(person, { origin: starter.url, address: `10.${round >> 8}.${round & 255}.${index}` }),
      )
      clients.push(...fresh)
      await killDuring(starter, fresh, { chance, moment: MOMENTS[round % MOMENTS.length] ?? 'any' })
      const wreck = inspect(directory, join(temporary(test), 'copy'))
      assertSound(wreck, clients)
      for (const client of fresh) {
        const phase = phaseOf(client, wreck)
        found[phase] = (found[phase] ?? 0) + 1
      }

      const began = performance.now()
      starter = StarterProcess.spawn({ directory, port, variables })
      await starter.serving()
      assert.equal((await fetch(`${starter.url}/login`)).status, 200)
      backAfter.push(performance.now() - began)
      for (const client of fresh) await assertSurvived(client)
      // Before the older ones are asked: codes do not wait.
      for (const client of fresh) await assertUsedOnce(client, wreck)
      for (const client of clients) await assertSurvived(client)
    }

    test.diagnostic(
      `deaths found ${JSON.stringify(found)}, the service was back after ${backAfter.map(Math.round).join(', ')} ms`,
    )
    // The quickest counts: what else the machine does only adds to it. On a machine that is slow all the time, being
    // back takes no longer than twice a start with nothing to mend.
    const limit = Math.max(BACK_MILLISECONDS, 2 * firstStart)
    assert.ok(Math.min(...backAfter) <= limit, `back after ${backAfter.join(', ')} ms, allowed are ${limit}`)
  })

  it('during the first start leaves nothing that blocks the next start', async (test) => {
    test.diagnostic(`play it again with CRASH_SEED=${SEED}`)
    const chance = new Chance(SEED)
    const directory = temporary(test)

    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = StarterProcess.spawn({ directory })
      await sleep(chance.between(100, 1200))
      await killed.kill()
      assert.equal(killed.errors, '', 'nothing was wrong until then')
    }
    const starter = await StarterProcess.start({ directory })
    const { demo, port } = starter
    await starter.kill()
    const again = await StarterProcess.start({ directory, port })
    test.after(() => again.stop())

    assert.deepEqual(again.demo, demo, 'the account that was shown is the account that is there')
    const client = new Client(demo, { origin: again.url, address: '' })
    await client.passPassword()
    await client.tryCode(await client.authenticator.next())
    assert.equal(await client.isSignedIn(), true)
  })
})

/** When the server dies. */
interface Plan {
  readonly chance: Chance
  readonly moment: (typeof MOMENTS)[number]
}

function peopleOf(rounds: number): { readonly name: string; readonly email: string }[] {
  return Array.from({ length: rounds * CLIENTS }, (_, index) => ({
    name: `P${index}`,
    email: `p${index}@sallyport.test`,
  }))
}

// A third of the deaths come at any moment of the load. The others come a moment after a code or a logout was sent,
// when the code is used and the session is not written yet.
async function killDuring(starter: StarterProcess, clients: readonly Client[], plan: Plan): Promise<void> {
  const { chance, moment } = plan
  const load = Promise.allSettled(
    clients.map((client, index) => live(client, KINDS[index % KINDS.length] ?? 'enter')),
  )
  if (moment === 'any') await sleep(chance.between(0, LOAD_MILLISECONDS))
  else {
    const least = moment === 'code' ? chance.between(1, CLIENTS - 2) : chance.between(1, 2)
    const count = (): number =>
      clients.filter(({ sentCodes, sentLogout }) => (moment === 'code' ? sentCodes.length > 0 : sentLogout))
        .length
    const deadline = performance.now() + 10 * LOAD_MILLISECONDS
    while (count() < least && performance.now() < deadline) await sleep(1)
    await sleep(chance.between(0, MOMENT_MILLISECONDS[moment]))
  }
  await starter.kill()
  for (const result of await load) {
    // Only the death of the server may have ended a client.
    if (result.status === 'rejected' && !isBroken(result.reason))
      throw new Error('A client fails', { cause: result.reason })
  }
}

async function live(client: Client, kind: (typeof KINDS)[number]): Promise<void> {
  await client.passPassword()
  if (kind === 'wait') return
  if (kind === 'guess') {
    for (let tries = 0; tries < 3; tries += 1) await client.tryCode(await client.authenticator.wrong())
    return
  }
  await client.tryCode(await client.authenticator.next())
  assert.equal(client.isConfirmed, true, 'a right code is accepted')
  if (kind === 'leave') await client.leave()
  // Writes of somebody who is in: a second login is refused, with a message in the session.
  else
    for (;;)
      await sleep(10).then(() => client.submit('/login', { email: client.person.email, password: 'another' }))
}

// Where a client was when the server died; for the reader of the output.
function phaseOf(
  { person, passedPassword, isConfirmed, isOut, sentCodes, authenticator }: Client,
  wreck: Wreck,
): string {
  if (isOut) return 'out'
  if (isConfirmed) return 'in'
  if (!passedPassword) return 'before the password'
  if (sentCodes.length === 0) return 'pending'
  if (authenticator.shown.length === 0) return 'guessing'
  if (wreck.signedIn.includes(person.id)) return 'in, answer lost'
  return wreck.accounts.get(person.id)?.lastStep === null ? 'code sent' : 'code used, not in'
}

function assertSound(wreck: Wreck, clients: readonly Client[]): void {
  assert.deepEqual(wreck.damage, [], 'the databases are whole')
  assert.deepEqual(wreck.torn, [], 'nobody is in and waits for a code at once')
  for (const client of clients) {
    const { id, email } = client.person
    const state = wreck.accounts.get(id)
    assert.ok(state !== undefined, `${email}: the account is there`)
    const sessions = wreck.signedIn.filter((identifier) => identifier === id).length
    assert.ok(sessions <= 1, `${email}: one login, ${sessions} sessions`)
    if (sessions === 1) assert.ok(state.lastStep !== null, `${email}: in without a used code`)
    if (client.isConfirmed) {
      assert.ok(state.lastStep !== null, `${email}: the used code is on record`)
      assert.ok(state.events.includes('logged-in'), `${email}: the login is on record`)
    }
    if (client.isOut) assert.ok(state.events.includes('logged-out'), `${email}: the logout is on record`)
    if (!client.isConfirmed) {
      assert.ok(
        state.tries >= client.refusals,
        `${email}: ${client.refusals} wrong codes, ${state.tries} counted`,
      )
      assert.ok(state.tries <= client.sentCodes.length, `${email}: more tries counted than made`)
    }
  }
}

async function assertSurvived(client: Client): Promise<void> {
  const { email } = client.person
  // A logout without a response may or may not have happened.
  if (client.sentLogout && !client.isOut) return
  // No client has a response that signs it in, so none holds a valid cookie: the id changes with the login.
  assert.equal(await client.isSignedIn(), client.isConfirmed && !client.isOut, `${email}: signed in`)
  if (client.isOut) {
    assert.equal(
      await client.withCookies(client.confirmedCookies).isSignedIn(),
      false,
      `${email}: signed in again`,
    )
  }
}

async function assertUsedOnce(client: Client, wreck: Wreck): Promise<void> {
  const { email, id } = client.person
  const isGuest = client.authenticator.shown.length === 0
  if (!client.passedPassword || client.isConfirmed) {
    if (client.isConfirmed && !client.sentLogout) await assertReplayRefused(client)
    return
  }
  const challenge = await client.open('/login/2fa')
  const wasLetIn = wreck.signedIn.includes(id)
  assert.equal(
    challenge.status,
    wasLetIn ? 303 : 200,
    `${email}: the challenge page answers ${challenge.status}`,
  )
  if (wasLetIn || isGuest) return

  // The login was under way: its code is either used, and its challenge ended with it, or still good.
  const code = client.authenticator.shown.at(-1) ?? ''
  const wasUsed = wreck.accounts.get(id)?.lastStep !== null
  const answer = await client.tryCode(code)
  assert.equal(answer.status, 303)
  assert.equal(
    answer.location,
    wasUsed ? '/login' : '/account',
    `${email}: a code that was ${wasUsed ? '' : 'not '}used`,
  )
  assert.equal(await client.isSignedIn(), !wasUsed)
}

async function assertReplayRefused(client: Client): Promise<void> {
  const thief = client.withCookies(new Map())
  await thief.passPassword()
  const answer = await thief.tryCode(client.authenticator.shown.at(-1) ?? '')
  assert.equal(answer.status, 422, `${client.person.email}: the used code is refused`)
  assert.equal(await thief.isSignedIn(), false)
}

function isBroken(reason: unknown): boolean {
  return reason instanceof TypeError && /fetch failed|terminated/.test(reason.message)
}
