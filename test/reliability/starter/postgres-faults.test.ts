import assert from 'node:assert/strict'
import { before, describe, it, type TestContext } from 'node:test'
import {
  type Flaw,
  FlawedProxy,
  PostgresServer,
  withoutPostgres,
} from '../../../packages/sallyport-app/src/testing/index.ts'
import { Program, Visitor } from '../../../starter/test/start/process.ts'
import { temporary } from '../../../starter/test/support.ts'

// Far more than a statement may take, and longer than whoever asks for the health waits.
const LATE_MILLISECONDS = 20_000
// Whoever watches a process gives up before: longer than the two seconds of the readiness, for a busy machine.
const PATIENCE_MILLISECONDS = 15_000

const FLAWS: Readonly<Record<string, Flaw>> = {
  'accepts and never answers': 'silent',
  'answers far too late': 'slow',
  'is dead': 'dead',
}

describe('a PostgreSQL that', { skip: withoutPostgres }, () => {
  let server: PostgresServer

  before(async () => {
    server = await PostgresServer.start()
  })

  /** A process that serves from a database of its own, through a proxy. */
  async function serving(
    test: TestContext,
    database: string,
  ): Promise<{ readonly proxy: FlawedProxy; readonly program: Program; readonly url: string }> {
    await server.run(`CREATE DATABASE ${database}`)
    const proxy = await FlawedProxy.start(test, server.url(database))
    const program = new Program(test, { DATABASE_URL: proxy.url, DATA_DIR: temporary(test) })
    return { proxy, program, url: await program.url() }
  }

  for (const [name, flaw] of Object.entries(FLAWS))
    it(`${name} is a 503 of /readyz and of pages, not of /healthz, until it answers again [RA-3204 RA-3202]`, async (test) => {
      const { proxy, program, url } = await serving(test, flaw)
      const statusOf = async (path: string): Promise<number> =>
        (await fetch(url + path, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) })).status
      const visitor = new Visitor(url)
      await visitor.open('/login')
      const wrong = { email: 'demo@sallyport.test', password: 'wrong' }
      assert.deepEqual(
        [await statusOf('/readyz'), (await visitor.submit('/login', wrong)).status],
        [200, 422],
      )

      await proxy.have(flaw, LATE_MILLISECONDS)

      assert.equal(await statusOf('/healthz'), 200)
      const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) })
      assert.deepEqual([ready.status, await ready.text()], [503, 'unavailable: database, sessions, mails\n'])
      assert.equal((await visitor.submit('/login', wrong)).status, 503)
      assert.equal(await statusOf('/healthz'), 200)

      await proxy.have('none')

      assert.equal(await statusOf('/readyz'), 200)
      assert.equal((await visitor.submit('/login', wrong)).status, 422)
      const { code, errors } = await program.ended('SIGTERM')
      assert.equal(code, 0, errors)
    })

  it('answers somewhat late keeps pages waiting, and no more [RA-3204]', async (test) => {
    const { proxy, url } = await serving(test, 'late')

    await proxy.have('slow', 50)

    assert.deepEqual(
      [(await fetch(`${url}/readyz`)).status, (await fetch(`${url}/login`)).status],
      [200, 200],
    )
  })
})
