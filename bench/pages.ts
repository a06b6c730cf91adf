/**
 * Processor time of the reference application's pages, for each request, and of its account page on AdonisJS:
 * `npm run bench -- pages`.
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
import { killServers, type Server, startServer } from './lib/server.ts'

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
  /** Who answers. Default: the starter. */
  readonly on?: 'adonis'
}

/** A page that was checked, and its processor times in milliseconds. */
interface Entrant {
  readonly page: Page
  readonly server: Server
  readonly load: Parameters<typeof measure>[1]
  readonly times: number[]
}

const accountPage = /Hello, Ada[^]*Authenticator app[^]*Signed out[^]*192\.0\.2\./

// The first visit of the login page creates a session, which is written to the disk.
const pages: readonly Page[] = [
  { name: 'home, anonymous', path: '/', by: 'visitor', shows: /<h1>/ },
  { name: 'login, first visit', path: '/login', by: 'visitor', shows: /name="password"/ },
  { name: 'login', path: '/login', by: 'guest', shows: /name="password"/ },
  { name: 'home, signed in', path: '/', by: 'account', shows: /Sign out/ },
  { name: 'account', path: '/account', by: 'account', shows: accountPage },
  { name: 'account, AdonisJS', path: '/account', by: 'account', shows: accountPage, on: 'adonis' },
  { name: 'administration', path: '/admin', by: 'account', shows: /Sign out/ },
]

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    killServers()
    process.exit(1)
  })
}
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-pages-'))
try {
  const servers = { starter: await start('starter.ts'), adonis: await start('adonis.mjs') }
  const entrants: Entrant[] = []
  for (const page of pages) entrants.push(await enter(page, servers[page.on ?? 'starter']))
  // Rounds are the outer loop: other load on the machine then affects all pages alike.
  for (let round = 0; round < rounds; round++)
    for (const { server, load, times } of entrants)
      times.push((await measure(server, load, seconds)).cpuMicroseconds / 1000)
  for (const entrant of entrants) process.stdout.write(lineOf(entrant))
} finally {
  killServers()
  rmSync(folder, { recursive: true, force: true })
}

async function start(contestant: string): Promise<Server> {
  const file = fileURLToPath(new URL(`contestants/${contestant}`, import.meta.url))
  return startServer(file, { COOKIE: cookieFile(contestant) })
}

async function enter(page: Page, server: Server): Promise<Entrant> {
  const load = { requests: [{ path: page.path, headers: await headersOf(page, server) }], status: 200 }
  const { status, body } = await new Visitor(server.port).send(load.requests[0] ?? page)
  assert.equal(status, 200, body.slice(0, 300))
  assert.match(body, page.shows)
  for (let answers = 0; answers < warmUpAnswers;)
    answers += (await measure(server, load, seconds)).answersPerSecond * seconds
  return { page, server, load, times: [] }
}

async function headersOf({ by, on }: Page, server: Server): Promise<Readonly<Record<string, string>>> {
  if (by === 'visitor') return {}
  if (by === 'account')
    return { cookie: await cookieOf(cookieFile(on === 'adonis' ? 'adonis.mjs' : 'starter.ts')) }
  const guest = new Visitor(server.port)
  await guest.send({ path: '/login' })
  return guest.cookie
}

function lineOf({ page, times }: Entrant): string {
  const [least = 0, ...others] = times.toSorted((one, other) => one - other)
  const median = others[Math.floor(rounds / 2) - 1] ?? least
  const isOver = page.on === undefined && median > goal
  const verdict = isOver ? `   over the goal of ${goal} ms` : ''
  return `${page.name.padEnd(18)} ${median.toFixed(3)} ms (least ${least.toFixed(3)})${verdict}\n`
}

function cookieFile(contestant: string): string {
  return join(folder, `${contestant}.cookie`)
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
