import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import type { Client } from './client.ts'
import { isIn, pendingOf, RECOVERY, Site } from './site.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const [CLIENTS, ROUNDS] = NIGHTLY ? [200, 1000] : [50, 20]
const JARS = 50

describe('recovery codes among processes', () => {
  it(`one code makes one login among ${CLIENTS} posts to 4 processes, ${ROUNDS} times [A-120 R-02]`, async (test) => {
    const site = await Site.open(test)
    const { codes } = site
    let clients: readonly Client[] = []
    let losers: readonly Client[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // Who lost goes on: failures are forgotten, and pending logins have their tries again.
      await site.renew()
      clients = [...losers, ...(await site.pending(CLIENTS - losers.length))]
      const code = codes[round % codes.length] ?? ''

      const answers = await Promise.all(clients.map((client) => client.submit(RECOVERY, { code })))

      assert.deepEqual(
        answers.filter(isIn).map(({ location }) => location),
        ['/account'],
        JSON.stringify(answers.map(({ status }) => status)),
      )
      assert.equal(await site.happened('recovery-code-used'), round + 1)
      assert.equal(await site.happened('logged-in'), round + 1)
      losers = clients.filter((_, index) => !answers.slice(index, index + 1).some(isIn))
    }
    assert.equal((await pendingOf(clients)).length, CLIENTS - 1)
  })

  it(`ten codes make ten logins among ${JARS} posts [A-120 R-02]`, async (test) => {
    const site = await Site.open(test)
    const { codes } = site
    const clients = await site.pending(JARS)

    // Failures lock the account on the way, and what is tested here is not the limit.
    const answers = await Promise.all(
      clients.map(async (client, index) => {
        const code = codes[index % codes.length] ?? ''
        for (;;) {
          const answer = await client.submit(RECOVERY, { code })
          if (answer.status !== 429) return { code, answer }
          await site.forgetFailures()
        }
      }),
    )

    const winners = answers.filter(({ answer }) => isIn(answer)).map(({ code }) => code)
    assert.deepEqual(winners.toSorted(), codes.toSorted())
    assert.equal((await pendingOf(clients)).length, JARS - codes.length)
    assert.equal(await site.count(sql`recovery_code WHERE used_at IS NULL`), 0)
  })
})
