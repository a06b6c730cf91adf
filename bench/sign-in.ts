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
import { cheapHasher, personAt, personPassword } from './lib/people.ts'
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
  for (let round = 0; round < rounds; round++) {
    const from = warmUp + round * perRound
    const before = cpuNanoseconds(server.pid)
    await signInAll(from, from + perRound)
    times.push((cpuNanoseconds(server.pid) - before) / 1e6 / perRound)
  }
  const hashing = await hashMilliseconds()
  const whole = medianOf(times)
  const flow = whole - hashing
  const verdict = flow > goal ? `   over the goal of ${goal} ms` : ''
  process.stdout.write(
    `sign-in            ${flow.toFixed(2)} ms (${whole.toFixed(2)} with a hash of ${hashing.toFixed(2)}; all ${times.map((time) => time.toFixed(2)).join(', ')})${verdict}\n`,
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

// What one comparison of a password costs, by the same policy.
async function hashMilliseconds(): Promise<number> {
  const hasher = cheapHasher()
  const hash = await hasher.hash(personPassword)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let count = 0; count < perRound; count++) await hasher.verify(personPassword, hash)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000 / perRound)
  }
  return medianOf(times)
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
}
