import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Person, World } from '../../../test/support.ts'
import { testMailLinks } from '../../../test/flow/mail-link.ts'
import { linkIn, signedIn } from '../../../test/flow/steps.ts'
import { MAX_OBJECTIONS, NotMeLinks, OBJECTION_DAYS } from '../objection-links.ts'

/** Path of the link in a new mail about the account. */
async function link(world: World, { id: accountId }: Person): Promise<string> {
  await world.identity.tell({ kind: 'password-changed', accountId })
  return linkIn(world, '/not-me/')
}

describe('the link "this was not me" of a mail', () => {
  it('ends every session and pending login, signs nobody in, and leads to a new password [RA-1702]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const bob = await world.person('bob')
    const [signedIn, pending, other] = [world.browser(), world.browser(), world.browser()]
    await signedIn.signIn(ada)
    await pending.password(ada)
    await other.signIn(bob)
    const browser = world.browser()

    const page = await browser.send(await link(world, ada))

    assert.deepEqual([page.status, page.location], [303, '/forgot'])
    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual([await signedIn.isSignedIn(), await other.isSignedIn()], [false, true])
    assert.equal((await pending.open('/login/2fa')).location, '/login')
    assert.ok((await world.events(ada)).includes('objected'))
    assert.equal(world.mailbox.list()[0]?.subject, 'Sessions of your account were signed out')
  })

  it('ends the sessions although the session store fails, and does nothing that cannot be recorded [RA-1702]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    const path = await link(world, person)
    const record = test.mock.method(world.identity.audit, 'record', () =>
      Promise.reject(new Error('disk full')),
    )
    assert.equal((await world.browser().send(path)).status, 500)
    record.mock.restore()
    assert.equal(await browser.isSignedIn(), true)
    const broken = test.mock.method(world.store, 'sessionsOf', () => Promise.reject(new Error('no store')))

    assert.equal((await world.browser().send(path)).status, 303)
    broken.mock.restore()

    assert.equal(await browser.isSignedIn(), false)
  })

  it(`is one of ${MAX_OBJECTIONS} at most for an account, the newest ones [RA-1702]`, async (test) => {
    const world = await World.create(test)
    const [ada, bob] = [await world.person('ada'), await world.person('bob')]
    const links = world.app.get(NotMeLinks)
    const make = async ({ id }: Person): Promise<string> =>
      (await world.database.transaction().execute((transaction) => links.make(id, transaction))).path
    const paths = [await make(bob)]
    for (let count = 0; count < MAX_OBJECTIONS + 1; count += 1) {
      world.clock.advance(1)
      paths.push(await make(ada))
    }

    const statuses: number[] = []
    for (const path of [...paths.slice(0, 3), ...paths.slice(-1)])
      statuses.push((await world.browser().open(path)).status)

    assert.deepEqual(statuses, [200, 410, 200, 200])
  })
})

testMailLinks({
  'the link "this was not me"': {
    clauses: '[RA-1702]',
    make: async (world) => link(world, await world.person('ada')),
    event: 'objected',
    table: 'objection',
    seconds: OBJECTION_DAYS * 24 * 60 * 60,
  },
})
