/**
 * Processor time of the reference application's pages, for each request: `npm run bench -- pages`.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { Visitor } from './lib/client.ts'
import { measure } from './lib/measure.ts'
import { killServers, type Server, startServer, stopServer } from './lib/server.ts'

const rounds = 5
const seconds = 2
// So many answers until the code of a page has been compiled; on a busy machine that takes a while.
const warmUpAnswers = 3000
/** Goal for each page, in milliseconds. */
const goal = 0.35

/** A page to measure. */
interface Page {
  readonly name: string
  readonly path: string
  /** Who asks for it: a new visitor each time, one who has been there, or the account. */
  readonly by: 'visitor' | 'guest' | 'account'
  readonly shows: RegExp
}

// The first visit of the login page creates a session, which is written to the disk.
const pages: readonly Page[] = [
  { name: 'home, anonymous', path: '/', by: 'visitor', shows: /<h1>/ },
  { name: 'login, first visit', path: '/login', by: 'visitor', shows: /name="password"/ },
  { name: 'login', path: '/login', by: 'guest', shows: /name="password"/ },
  { name: 'home, signed in', path: '/', by: 'account', shows: /Sign out/ },
  { name: 'account', path: '/account', by: 'account', shows: /Hello, Ada[^]*Authenticator app/ },
  { name: 'administration', path: '/admin', by: 'account', shows: /Sign out/ },
]

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    killServers()
    process.exit(1)
  })
}
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-pages-'))
const file = fileURLToPath(new URL('contestants/starter.ts', import.meta.url))
const server = await startServer(file, { COOKIE: join(folder, 'cookie') })
try {
  const cookie = await cookieOf(join(folder, 'cookie'))
  const guest = new Visitor(server.port)
  await guest.send({ path: '/login' })
  const headers = { visitor: {}, guest: guest.cookie, account: { cookie } }
  for (const page of pages) process.stdout.write(await lineOf(page, headers[page.by]))
} finally {
  await stopServer(server.process)
  rmSync(folder, { recursive: true, force: true })
}

async function lineOf(page: Page, headers: Readonly<Record<string, string>>): Promise<string> {
  const ask = { path: page.path, headers }
  const { status, body } = await new Visitor(server.port).send(ask)
  assert.equal(status, 200, body.slice(0, 300))
  assert.match(body, page.shows)
  const load = { requests: [ask], status: 200 }
  for (let answers = 0; answers < warmUpAnswers;)
    answers += (await measure(server, load, seconds)).answersPerSecond * seconds
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await millisecondsOf(server, load))
  times.sort((one, other) => one - other)
  const [least = 0] = times
  const median = times[Math.floor(rounds / 2)] ?? 0
  const verdict = median <= goal ? '' : `   over the goal of ${goal} ms`
  return `${page.name.padEnd(18)} ${median.toFixed(3)} ms (least ${least.toFixed(3)})${verdict}\n`
}

async function millisecondsOf(measured: Server, load: Parameters<typeof measure>[1]): Promise<number> {
  return (await measure(measured, load, seconds)).cpuMicroseconds / 1000
}

// Written when the account has signed in, after the server listens.
async function cookieOf(path: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      await sleep(100)
    }
  }
  throw new Error('The account could not sign in')
}
