import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { figure, sized } from './figure.ts'
import { Crowd } from './lifecycle/crowd.ts'
import { Servers } from './lifecycle/servers.ts'

async function prove(t: TestContext, address: string, requests: number): Promise<void> {
  await using servers = await Servers.start(address)
  const crowd = new Crowd(servers)
  await crowd.run(requests)

  const { rounds, ...found } = crowd.findings
  const what = `changes lost, sessions revived, identities doubled, identifiers alive in ${servers.requests} requests of ${rounds} logins at 4 processes`
  figure(t, 'R-05, R-06, R-07', { what, value: Object.values(found).join(', '), goal: '0, 0, 0, 0' })
  assert.deepEqual(found, { lost: 0, revived: 0, doubled: 0, alive: 0 })
  assert.deepEqual(await servers.faults(), [])
}

const TITLE =
  'loses no change, revives no session and doubles no identity while browsers log in and out [R-05 R-06 R-07]'

describe('four processes of an application', () => {
  it(`${TITLE}, on one Redis`, { skip: withoutRedis }, async (t) => {
    const server = await RedisServer.start()
    t.after(() => server[Symbol.asyncDispose]())
    await prove(t, server.url, sized(10_000, 100_000))
  })

  it(`${TITLE}, on one PostgreSQL`, { skip: withoutPostgres }, async (t) => {
    const server = await PostgresServer.start()
    t.after(() => server[Symbol.asyncDispose]())
    await prove(t, server.url, sized(1000, 10_000))
  })

  it(`${TITLE}, on one file of SQLite`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-workers-'))
    t.after(() => rmSync(folder, { recursive: true }))
    await prove(t, join(folder, 'sessions.sqlite'), sized(1000, 10_000))
  })
})
