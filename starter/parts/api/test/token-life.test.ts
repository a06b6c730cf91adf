import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { Outbox } from 'sallyport-app/mail'
import { Mails } from '../../../core/mail/mails.ts'
import { signedIn } from '../../../test/flow/steps.ts'
import { OTHER, saidInOther } from '../../../test/languages.ts'
import { World } from '../../../test/support.ts'
import { ApiTokens } from '../api-tokens.ts'
import { ENDING_TOKENS, TOLD_DAYS } from '../ending-tokens.ts'
import { calling, makeToken, Program } from './program.ts'

const DAY = 24 * 60 * 60
const FROM = { clientAddress: '192.0.2.7', device: '' }

describe('a token of an account', () => {
  it('is suspended by a change of credentials, and named in its mail and on the page that follows [RA-2401 RA-3001]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const program = new Program(world, await makeToken(world, person))
    assert.equal((await program.get('/me')).status, 200)

    const changed = await browser.send('/account/password', { password: 'another gate of two doors' })

    assert.equal(changed.status, 303)
    assert.equal((await program.get('/me')).status, 401)
    assert.match(
      world.mailbox.list()[0]?.text ?? '',
      /stopped working[^]*\n- ci\n\nhttps:\/\/app\.test\/account\/security\/tokens\n/,
    )
    assert.match((await browser.open('/account/security')).html, /<p>ci\. /)
  })

  it('is confirmed and revoked by one of fifty at once [RA-2502]', async (test) => {
    const { world, ada } = await calling(test)
    const tokens = world.app.get(ApiTokens)
    const id = (await tokens.list(ada.id))[0]?.id ?? ''
    const credentialVersion = (await world.identity.users.endSessions(ada.id)) ?? 0
    const owner = { accountId: ada.id, ...FROM }
    const fifty = async (once: () => Promise<boolean>): Promise<number> =>
      (await Promise.all(Array.from({ length: 50 }, once))).filter(Boolean).length

    assert.equal(await fifty(() => tokens.confirm(owner, id, { credentialVersion })), 1)
    assert.equal(await fifty(() => tokens.revoke(owner, id)), 1)
  })
})

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
  it('is due three days before, in the language of the account [RA-2401 RA-3101]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    await world.database.updateTable('account').set({ language: OTHER }).execute()
    await makeToken(world, ada, { name: 'nightly', days: 7 })

    world.clock.advance((7 - TOLD_DAYS) * DAY - 1)
    assert.equal(await remind(world), 0)
    world.clock.advance(1)
    assert.equal(await remind(world), 1)

    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [ada.email, saidInOther('mail.token-ends.subject')])
    assert.ok(mail?.text.includes(`${world.app.get(Mails).time(Date.UTC(2026, 0, 8) / 1000, OTHER)} UTC`))
    assert.match(mail?.text ?? '', /https:\/\/app\.test\/account\/security\/tokens/)
    assert.doesNotMatch(mail?.text ?? '', /sallyport_/)
  })

  it('is due for no token that has ended, was revoked or is suspended, and for that one when it counts again [RA-2401]', async (test) => {
    const world = await World.create(test)
    const [ada, bob, eve] = [await world.person('ada'), await world.person('bob'), await world.person('eve')]
    for (const person of [ada, bob, eve]) await makeToken(world, person, { days: 7 })
    const tokens = world.app.get(ApiTokens)
    const [revoked] = await tokens.list(ada.id)
    await tokens.revoke({ accountId: ada.id, ...FROM }, revoked?.id ?? '')
    await world.identity.users.endSessions(bob.id)
    await world.disable(eve)
    world.clock.advance(5 * DAY)
    assert.equal(await remind(world), 0)

    const [suspended] = await tokens.list(bob.id)
    await tokens.confirm({ accountId: bob.id, ...FROM }, suspended?.id ?? '', { credentialVersion: 2 })
    assert.equal(await remind(world), 1)

    assert.equal(world.mailbox.list()[0]?.to, bob.email)
    world.clock.advance(2 * DAY)
    assert.equal(await remind(world), 0)
  })
})
