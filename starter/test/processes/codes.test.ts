import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Closing } from 'sallyport-app/testing'
import { sql } from 'kysely'
import type { Client } from './client.ts'
import { CHALLENGE_ATTEMPTS } from '../../core/limits/limits.ts'
import { DOOR, isIn, pendingOf, RECOVERY, Site } from './site.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const CLIENTS = 200
const [ROUNDS, KIND_ROUNDS, COPY_ROUNDS, DELAY_ROUNDS] = NIGHTLY ? [1000, 1000, 50, 20] : [2, 20, 2, 1]
// Milliseconds between what two processes are asked.
const DELAYS = [0, 0, 0, 1, 1, 2, 2, 4, 8, 16]
const CODES = '/account/recovery-codes'
const COPIES = 50
const WRONG = 500
const JARS = 50

describe('codes among processes', () => {
  const closing = new Closing()
  let site: Site
  before(async () => {
    site = await Site.open(closing)
  })
  after(() => closing.close())

  for (const [kind, path, codeOf] of [
    ['an authenticator [R-01 FACTOR-06]', DOOR, () => site.code],
    [
      'the recovery list [A-120 R-02]',
      RECOVERY,
      (round: number) => site.codes[round % site.codes.length] ?? '',
    ],
  ] as const)
    it(`one code makes one login among ${CLIENTS} posts to 4 processes, ${ROUNDS} times: of ${kind}`, async () => {
      let clients: readonly Client[] = []
      let losers: readonly Client[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        // Who lost goes on: failures are forgotten, and pending logins have their tries again.
        await site.renew()
        const logins = await site.happened('logged-in')
        clients = [...losers, ...(await site.pending(CLIENTS - losers.length, path))]

        const answers = await Promise.all(
          clients.map((client) => client.submit(path, { code: codeOf(round) })),
        )

        const statuses = JSON.stringify(answers.map(({ status }) => status))
        assert.equal(answers.filter(isIn).length, 1, statuses)
        assert.equal(await site.happened('logged-in'), logins + 1)
        assert.equal(await usedCodes(site), 1)
        losers = clients.filter((_, index) => !answers.slice(index, index + 1).some(isIn))
      }
      assert.equal((await pendingOf(clients)).length, CLIENTS - 1)
    })

  it(`ten codes make ten logins among ${JARS} posts [A-120 R-02]`, async () => {
    await site.renew()
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

  it(`of two kinds of codes for one pending login, one signs in, ${KIND_ROUNDS} times [R-03]`, async () => {
    for (let round = 0; round < KIND_ROUNDS; round += 1) await assertOneLogin(site, { copies: 2, round })
  })

  it(`of two kinds of codes in ${COPIES} copies of one pending login, one signs in, ${COPY_ROUNDS} times [A-121]`, async () => {
    for (let round = 0; round < COPY_ROUNDS; round += 1) await assertOneLogin(site, { copies: COPIES, round })
  })

  it(`of ${WRONG} wrong codes at once ${CHALLENGE_ATTEMPTS} are looked at, and as many are counted [R-04]`, async () => {
    await site.renew()
    const clients = await site.pendingOnce(4)
    const known = await site.happened('code-refused')
    const wrong = site.code === '000000' ? '111111' : '000000'
    const posts = Array.from({ length: WRONG / clients.length }, () => clients).flat()

    const answers = await Promise.all(posts.map((client) => client.submit(DOOR, { code: wrong })))

    assert.equal(answers.length, WRONG)
    const refused = answers.filter(({ status }) => status === 422)
    // The last one ends the sign-in, and leads to its beginning like those that come too late.
    assert.equal(refused.length, CHALLENGE_ATTEMPTS - 1)
    assert.equal(answers.filter(({ location }) => location === '/login').length, WRONG - refused.length)
    assert.equal(await site.happened('code-refused'), known + CHALLENGE_ATTEMPTS)
    assert.equal(await site.failures('factor:'), CHALLENGE_ATTEMPTS)
    assert.equal(await site.failures('authenticator:'), CHALLENGE_ATTEMPTS)
    await site.renew()
    for (const client of clients) assert.equal(isIn(await client.submit(DOOR, { code: site.code })), false)
    assert.equal((await pendingOf(clients)).length, clients.length)
  })

  it(`of two sessions that both make new recovery codes one stays signed in, ${DELAYS.length * DELAY_ROUNDS} times [RA-1901 RA-3001 R-60]`, async () => {
    for (const delay of Array.from({ length: DELAY_ROUNDS }, () => DELAYS).flat()) {
      const clients = await site.pending(2, DOOR)
      for (const client of clients) {
        await site.renew()
        assert.ok(isIn(await client.submit(DOOR, { code: site.code })))
        await client.open(CODES)
      }

      await Promise.all(
        clients.map(async (client, index) => {
          await pause(index * delay)
          await client.submit(CODES, {})
        }),
      )

      assert.equal((await pendingOf(clients)).length, 1, `${delay} ms`)
    }
  })
})

// What was not the one that signed in is not used up.
async function assertOneLogin(
  site: Site,
  { copies, round }: { readonly copies: number; readonly round: number },
): Promise<void> {
  await site.renew()
  const clients = await site.pendingOnce(copies)
  await site.allow(100)
  const logins = await site.happened('logged-in')
  const [recovery = ''] = site.codes

  const answers = await Promise.all(
    clients.map((client, index) =>
      index % 2 === round % 2
        ? client.submit(DOOR, { code: site.code })
        : client.submit(RECOVERY, { code: recovery }),
    ),
  )

  assert.equal(answers.filter(isIn).length, 1, JSON.stringify(answers.map(({ status }) => status)))
  assert.equal(await site.happened('logged-in'), logins + 1)
  assert.equal(await usedCodes(site), 1)
  assert.equal((await pendingOf(clients)).length, copies - 1)
}

async function usedCodes(site: Site): Promise<number> {
  return (await site.count(sql`recovery_code WHERE used_at IS NOT NULL`)) + (await site.count(sql`used_step`))
}
