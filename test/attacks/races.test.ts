import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { PASSWORD_BCRYPT, PasswordHasher } from 'sallyport/auth'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import type { Accounts } from './fixture/accounts.ts'
import { accountFile, type Instance, Jar, type Scope, start } from './fixture/processes.ts'
import { codeOfStep, PERIOD } from './fixture/totp.ts'
import { passwordOf, secretOf, T0 } from './fixture/world.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const [PROCESSES, JARS, ROUNDS] = NIGHTLY ? [4, 50, 200] : [2, 10, 3]
const CODE = codeOfStep(secretOf('ada'), T0 / PERIOD)

interface Processes {
  readonly accounts: Accounts
  readonly instances: readonly Instance[]
  portOf(i: number): number
}

async function startAll(scope: Scope, sessions: string | null): Promise<Processes> {
  const { folder, path, accounts } = await accountFile(scope)
  const limits = { perChallenge: 100, perAccount: 100 }
  const address = sessions ?? join(folder, 'sessions.sqlite')
  const setup = { sessions: address, accounts: path, limits, slowMilliseconds: 300 }
  const instances = await Promise.all(Array.from({ length: PROCESSES }, () => start(scope, setup)))
  return { accounts, instances, portOf: (i) => (instances[i % instances.length] as Instance).port }
}

// One hash at a time in each process, so that none waits for its turn too long: the race is about the code.
async function passPasswords(portOf: Processes['portOf']): Promise<Jar[]> {
  const jars = Array.from({ length: JARS }, () => new Jar())
  const queues = Array.from({ length: PROCESSES }, async (_, first) => {
    for (let i = first; i < JARS; i += PROCESSES) {
      const jar = jars[i] as Jar
      const { location } = await jar.password(portOf(i), 'ada')
      assert.equal(location, '/login/2fa')
      await jar.challenge(portOf(i))
    }
  })
  await Promise.all(queues)
  return jars
}

async function oneLoginPerRound({ accounts, instances, portOf }: Processes): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    accounts.run('UPDATE factor SET last_step = 0')
    accounts.run('DELETE FROM failure')
    const jars = await passPasswords(portOf)
    const replies = await Promise.all(
      jars.map((jar, i) => jar.send(portOf(i + round), 'POST /login/2fa', { code: CODE })),
    )
    const identities = await Promise.all(jars.map((jar, i) => jar.who(portOf(i))))
    assert.equal(
      replies.filter(({ status }) => status === 303).length,
      1,
      JSON.stringify(replies.map(({ status }) => status)),
    )
    assert.deepEqual(
      identities.filter((identity) => identity !== null),
      ['u1'],
    )
    for (const jar of jars) jar.agent.destroy()
  }
  for (const { said } of instances) assert.deepEqual(said, [])
}

describe('races among processes with sessions in SQLite', () => {
  const hooks: (() => void | Promise<void>)[] = []
  let processes: Processes
  before(async () => {
    processes = await startAll({ after: (hook) => void hooks.unshift(hook) }, null)
  })
  after(async () => {
    for (const hook of hooks) await hook()
  })

  it('one code makes one login [A-119]', () => oneLoginPerRound(processes))

  it('one challenge makes at most one login and one session [A-121]', async () => {
    const { accounts, portOf } = processes
    for (let round = 0; round < (NIGHTLY ? 50 : 3); round++) {
      accounts.run('UPDATE factor SET last_step = 0')
      accounts.run('DELETE FROM failure')
      accounts.run('DELETE FROM event')
      const pending = new Jar()
      await pending.password(portOf(0), 'ada')
      await pending.challenge(portOf(0))
      const jars = Array.from({ length: NIGHTLY ? 50 : 12 }, () => pending.twin())
      // Two different valid codes, one in each half, stand for two secrets.
      const codes = [CODE, codeOfStep(secretOf('ada'), T0 / PERIOD + 1)]
      await Promise.all(
        jars.map((jar, i) => jar.send(portOf(i), 'POST /login/2fa', { code: codes[i % 2] ?? '' })),
      )
      const given = [...new Set(jars.flatMap(({ ids }) => ids))]
      assert.equal(given.length, 1, 'one id was given out')
      const alive = await Promise.all(
        [...given, pending.id].map((id) => new Jar(id, pending.agent).who(portOf(1))),
      )
      assert.deepEqual(alive, ['u1', null])
      const logins = accounts.rows("SELECT * FROM event WHERE kind = 'logged-in'")
      assert.equal(logins.length, 1, 'no code was used up without a login')
      for (const jar of [...jars, pending]) jar.agent.destroy()
    }
  })

  it('a late write in another process restores no identity [A-079]', async () => {
    const { instances, portOf } = processes
    const bob = new Jar()
    await bob.password(portOf(0), 'bob')
    await bob.send(portOf(0), 'GET /account')
    const slow = bob.twin()
    const reached = once(instances[1]?.child.stdout ?? process.stdin, 'data')
    const late = slow.send(portOf(1), 'GET /account/slow')
    await reached
    assert.equal((await bob.send(portOf(0), 'POST /logout', {})).status, 303)
    assert.equal((await late).status, 200)
    assert.deepEqual(slow.ids, [], 'the late answer sets no cookie')
    for (const i of [0, 1])
      assert.deepEqual([await slow.who(portOf(i)), await bob.who(portOf(i))], [null, null])
    for (const jar of [bob, slow]) jar.agent.destroy()
  })

  it('many logins of one account replace its hash once [A-107]', async () => {
    const { accounts, portOf } = processes
    const hashOf = (): string =>
      String(accounts.rows("SELECT hash FROM account WHERE id = 'u2'")[0]?.['hash'])
    const old = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash(passwordOf('bob'))
    accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", old)
    const statuses = await Promise.all(
      Array.from({ length: NIGHTLY ? 50 : 16 }, async (_, i) => {
        const jar = new Jar()
        const { status } = await jar.password(portOf(i), 'bob')
        jar.agent.destroy()
        return status
      }),
    )
    assert.ok(statuses.includes(303))
    assert.deepEqual(
      statuses.filter((status) => ![303, 422, 503].includes(status)),
      [],
    )
    assert.match(hashOf(), /^\$argon2id\$/)
    const again = new Jar()
    assert.equal((await again.password(portOf(0), 'bob')).status, 303)
    again.agent.destroy()
  })
})

describe('races among processes with sessions in Redis', { skip: withoutRedis }, () => {
  it('one code makes one login [A-119]', async (test) => {
    const server = await RedisServer.start()
    test.after(() => server[Symbol.asyncDispose]())
    await oneLoginPerRound(await startAll(test, server.url))
  })
})

describe('races among processes with sessions in PostgreSQL', { skip: withoutPostgres }, () => {
  it('one code makes one login [A-119]', async (test) => {
    const server = await PostgresServer.start()
    test.after(() => server[Symbol.asyncDispose]())
    await oneLoginPerRound(await startAll(test, server.url))
  })
})
