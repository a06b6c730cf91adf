import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type Answer, Client } from '../crash/client.ts'
import { CHALLENGE_ATTEMPTS } from '../../identity/limits/limits.ts'
import { enroll } from '../flow/newcomer.ts'
import { PASSWORD, temporary, World } from '../support.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const PROCESSES = 4
const CLIENTS = 50
const ROUNDS = NIGHTLY ? 200 : 20
const PATH = '/login/2fa/recovery'
const SERVING = fileURLToPath(new URL('serving.ts', import.meta.url))

describe('recovery codes among processes', () => {
  it(`A-120, R-02: one code makes one login among ${CLIENTS} posts to ${PROCESSES} processes, ${ROUNDS} times`, async (test) => {
    const { site, codes } = await begin(test)
    let clients: readonly Client[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      site.forgetFailures()
      if (round % codes.length === 0) site.renew()
      // Who lost goes on, as long as the pending login allows another try.
      const losers = round % (CHALLENGE_ATTEMPTS - 1) === 0 ? [] : await pendingOf(clients)
      clients = [...losers, ...(await site.pending(CLIENTS - losers.length))]
      const code = codes[round % codes.length] ?? ''

      const answers = await Promise.all(clients.map((client) => client.post(PATH, { code })))

      assert.deepEqual(
        answers.filter(isIn).map(({ location }) => location),
        ['/account'],
        JSON.stringify(answers.map(({ status }) => status)),
      )
      assert.equal((await pendingOf(clients)).length, CLIENTS - 1)
      assert.equal(site.count("event WHERE kind = 'recovery-code-used'"), round + 1)
      assert.equal(site.count("event WHERE kind = 'logged-in'"), round + 1)
    }
  })

  it(`A-120, R-02: ten codes make ten logins among ${CLIENTS} posts`, async (test) => {
    const { site, codes } = await begin(test)
    const clients = await site.pending(CLIENTS)

    // Failures lock the account on the way, and what is tested here is not the limit.
    const answers = await Promise.all(
      clients.map(async (client, index) => {
        const code = codes[index % codes.length] ?? ''
        for (;;) {
          const answer = await client.post(PATH, { code })
          if (answer.status !== 429) return { code, answer }
          site.forgetFailures()
        }
      }),
    )

    const winners = answers.filter(({ answer }) => isIn(answer)).map(({ code }) => code)
    assert.deepEqual(winners.toSorted(), codes.toSorted())
    assert.equal((await pendingOf(clients)).length, CLIENTS - codes.length)
    assert.equal(site.count('recovery_code WHERE used_at IS NULL'), 0)
  })
})

function isIn({ status, location }: Answer): boolean {
  return status === 303 && location === '/account'
}

async function pendingOf(clients: readonly Client[]): Promise<readonly Client[]> {
  const signedIn = await Promise.all(clients.map((client) => client.isSignedIn()))
  return clients.filter((_, index) => signedIn[index] === false)
}

/** Processes that share the databases, and those databases. */
class Site {
  readonly #database: DatabaseSync
  readonly #origins: readonly string[]
  readonly #person: { readonly id: string; readonly email: string }

  constructor(
    database: DatabaseSync,
    origins: readonly string[],
    person: { readonly id: string; readonly email: string },
  ) {
    this.#database = database
    this.#origins = origins
    this.#person = person
  }

  /** Browsers over all processes, each at the page for recovery codes. */
  async pending(count: number): Promise<readonly Client[]> {
    const person = { ...this.#person, password: PASSWORD, secret: '' }
    const clients = Array.from({ length: count }, (_, index) => {
      const origin = this.#origins[index % this.#origins.length] ?? ''
      return new Client(person, { origin, address: `10.0.0.${index}` })
    })
    for (const client of clients) {
      await client.passPassword()
      await client.get(PATH)
    }
    return clients
  }

  forgetFailures(): void {
    this.#database.exec('DELETE FROM attempt')
  }

  /** Lets the codes of the set work once more. */
  renew(): void {
    this.#database.exec('UPDATE recovery_code SET used_at = NULL')
  }

  count(rows: string): number {
    return Number(this.#database.prepare(`SELECT count(*) AS n FROM ${rows}`).get()?.['n'])
  }
}

async function begin(test: TestContext): Promise<{ readonly site: Site; readonly codes: readonly string[] }> {
  const directory = temporary(test)
  const hooks: (() => void | Promise<void>)[] = []
  const world = await World.open({ after: (hook) => void hooks.push(hook) }, directory)
  const { person, codes } = await enroll(world, world.browser(), 'ada')
  for (const hook of hooks) await hook()
  const origins = await Promise.all(Array.from({ length: PROCESSES }, () => start(test, directory)))
  const database = new DatabaseSync(join(directory, 'accounts.sqlite'), { timeout: 5000 })
  test.after(() => database.close())
  return { site: new Site(database, origins, person), codes }
}

async function start(test: TestContext, directory: string): Promise<string> {
  const args = ['--conditions=sallyport-source', '--disable-warning=ExperimentalWarning', SERVING, directory]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  test.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return line.trim().replace(/\/$/, '')
}
