import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { Outbox } from 'sallyport-app/mail'
import { Mails } from '../../../core/mail/mails.ts'
import { OTHER, saidInOther } from '../../../test/languages.ts'
import { World } from '../../../test/support.ts'
import { ApiTokens } from '../api-tokens.ts'
import { ENDING_TOKENS, TOLD_DAYS } from '../ending-tokens.ts'
import { makeToken } from './program.ts'

const DAY = 24 * 60 * 60
const FROM = { clientAddress: '192.0.2.7', device: '' }

/** Sends the mails that are due, as whatever sends them does. */
async function remind({ database, clock, app }: World): Promise<number> {
  const [now, told] = [clock.timestamp(), sql<string>`(SELECT 'nothing')`]
  const rows = await ENDING_TOKENS.choose(database, { now, told })
  const linkTo = (path: string): string => `https://app.test${path}`
  const mails = app.get(Mails)
  for (const row of rows)
    await database.transaction().execute(async (transaction) => {
      const values = await ENDING_TOKENS.take(transaction, row, { now, linkTo, note: async () => true })
      const at = { at: row.expires_at }
      await mails.send({ kind: ENDING_TOKENS.kind, to: row, values: { ...values, at } }, transaction)
    })
  await app.get(Outbox).sendNew()
  return rows.length
}

describe('the mail about the end of a token', () => {
  it('is due three days before, in the language of the account, for no token that was revoked or is suspended, and for that one when it counts again [RA-2401 RA-3101]', async (test) => {
    const world = await World.create(test)
    const [ada, bob, eve] = [await world.person('ada'), await world.person('bob'), await world.person('eve')]
    await world.database.updateTable('account').set({ language: OTHER }).execute()
    for (const person of [ada, bob, eve]) await makeToken(world, person, { days: 7 })
    const tokens = world.app.get(ApiTokens)
    const [revoked] = await tokens.list(ada.id)
    await tokens.revoke({ accountId: ada.id, ...FROM }, revoked?.id ?? '')
    await world.identity.users.endSessions(bob.id)
    await world.disable(eve)
    const [suspended] = await tokens.list(bob.id)
    const confirm = (): Promise<unknown> =>
      tokens.confirm({ accountId: bob.id, ...FROM }, suspended?.id ?? '', { credentialVersion: 2 })

    world.clock.advance((7 - TOLD_DAYS) * DAY)
    assert.equal(await remind(world), 0)
    await confirm()
    world.clock.advance(-1)
    assert.equal(await remind(world), 0)
    world.clock.advance(1)
    assert.equal(await remind(world), 1)

    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [bob.email, saidInOther('mail.token-ends.subject')])
    assert.ok(mail?.text.includes(`${world.app.get(Mails).time(Date.UTC(2026, 0, 8) / 1000, OTHER)} UTC`))
    assert.doesNotMatch(mail?.text ?? '', /sallyport_/)
    world.clock.advance(TOLD_DAYS * DAY)
    assert.equal(await remind(world), 0)
  })
})
