/**
 * Processor time of a whole sign-in of the reference application, without the hashing of the password: the login page, the
 * password, the page of the code, the code, and the account page. `npm run bench -- sign-in`.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { generate } from 'otplib/functional'
import { type Answer, Visitor } from './lib/client.ts'
import { personAt, personPassword } from './lib/people.ts'
import { cpuNanoseconds, killServers, startServer } from './lib/server.ts'

const rounds = 5
const perRound = 200
// People who sign in at the same time, each on a connection that stays open.
const atOnce = 16
// So many until the code has been compiled.
const warmUp = 1000
/** Goal for all requests of a sign-in together, in milliseconds. */
const goal = 3

const keepAlive = { connection: 'keep-alive' }
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-sign-in-'))
const secretsFile = join(folder, 'secrets')
try {
  const accounts = warmUp + rounds * perRound
  const file = fileURLToPath(new URL('contestants/sign-in.ts', import.meta.url))
  const server = await startServer(file, { ACCOUNTS: `${accounts}`, SECRETS: secretsFile })
  // The contestant has written it.
  const secrets = JSON.parse(readFileSync(secretsFile, 'utf8')) as string[]
  const signInAll = async (from: number, to: number): Promise<void> => {
    let next = from
    const work = async (): Promise<void> => {
      for (let number = next++; number < to; number = next++)
        await signIn(server.port, number, secrets[number] ?? '')
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await signInAll(0, warmUp)
  const times: number[] = []
  const hashes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const from = warmUp + round * perRound
    const before = timesOf(server.pid)
    await signInAll(from, from + perRound)
    const after = timesOf(server.pid)
    const hash = (after.hashing - before.hashing) / perRound
    hashes.push(hash)
    times.push((after.whole - before.whole) / perRound - hash)
  }
  const flow = medianOf(times)
  const verdict = flow > goal ? `   over the goal of ${goal} ms` : ''
  process.stdout.write(
    `sign-in            ${flow.toFixed(2)} ms (all ${shown(times)}; besides, a hash of ${shown(hashes)})${verdict}\n`,
  )
} finally {
  killServers()
  rmSync(folder, { recursive: true, force: true })
}

async function signIn(port: number, number: number, secret: string): Promise<void> {
  const visitor = new Visitor(port)
  const login = { _csrf: await tokenOf(visitor, '/login'), email: personAt(number), password: personPassword }
  assert.equal((await post(visitor, '/login', login)).status, 303)
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1000), period: 30 })
  const challenge = { _csrf: await tokenOf(visitor, '/login/2fa'), code }
  assert.equal((await post(visitor, '/login/2fa', challenge)).status, 303)
  const account = await visitor.send({ path: '/account', headers: keepAlive })
  assert.match(account.body, /Hello, Ada/)
}

async function post(
  visitor: Visitor,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const ask = visitor.formAsk(path, fields)
  return visitor.send({ ...ask, headers: { ...ask.headers, ...keepAlive } })
}

async function tokenOf(visitor: Visitor, path: string): Promise<string> {
  const { body } = await visitor.send({ path, headers: keepAlive })
  return /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
}

// Milliseconds. Passwords are compared in threads of their own, and nothing else runs there: everything else is on SQLite, which
// works in the main thread.
function timesOf(pid: number): { readonly whole: number; readonly hashing: number } {
  return { whole: cpuNanoseconds(pid) / 1e6, hashing: cpuNanoseconds(pid, 'libuv-worker') / 1e6 }
}

function shown(times: readonly number[]): string {
  return times.map((time) => time.toFixed(2)).join(', ')
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
}
