import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Person, World } from '../../../test/support.ts'
import { linkIn, signedIn } from '../../../test/flow/steps.ts'
import { MAX_OBJECTIONS, NotMeLinks } from '../objection-links.ts'

describe('the link "this was not me" of a mail', () => {
  it('ends the sessions although the session store fails, and does nothing that cannot be recorded [RA-1702]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    await world.identity.tell({ kind: 'password-changed', accountId: person.id })
    const path = linkIn(world, '/not-me/')
    const record = test.mock.method(world.identity.audit, 'record', () =>
      Promise.reject(new Error('disk full')),
    )
    assert.equal((await world.browser().send(path)).status, 500)
    record.mock.restore()
    assert.equal(await browser.isSignedIn(), true)
    const broken = test.mock.method(world.store, 'sessionsOf', () => Promise.reject(new Error('no store')))

    const done = await world.browser().send(path)

    assert.deepEqual([done.status, done.location], [303, '/forgot'])
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
