import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missing } from '../../../test/facts-of-parts.ts'
import { DELETION_DAYS } from '../account-deletion.ts'
import { Erasure } from '../erasure.ts'
import { EVERY_PERMISSION, type Page, type Person, type World } from '../../../test/support.ts'
import { testMailLinks } from '../../../test/flow/mail-link.ts'
import { confirm, linkIn, type Owner, signedIn } from '../../../test/flow/steps.ts'

const DELETE = '/account/delete'
const DAY_SECONDS = 24 * 60 * 60

async function ask({ world, browser, person }: Owner, email: string = person.email): Promise<Page> {
  await confirm(world, browser, { person, path: DELETE })
  return browser.submit(DELETE, { email })
}

async function exists(world: World, { id }: Person): Promise<boolean> {
  return (await world.identity.users.authenticationIdentity(id)) !== null
}

describe('the deletion of an account', () => {
  it('asks for the address of the account [RA-0901]', async (test) => {
    const owner = await signedIn(test)

    for (const email of ['eve@example.test', '', 'DELETE'])
      assert.equal((await ask(owner, email)).status, 422)

    assert.equal(await owner.browser.isSignedIn(), true)
    assert.deepEqual(await owner.world.database.selectFrom('account_deletion').selectAll().execute(), [])
  })

  it('ends every session and pending login at once, and tells the owner how to keep the account', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    const [other, pending] = [world.browser(), world.browser()]
    await other.signIn(person)
    await pending.password(person)
    world.clock.advance(30)

    const asked = await ask(owner)

    assert.deepEqual([asked.status, asked.location], [303, '/'])
    assert.match((await browser.open('/')).html, /Sign in to keep your account/)
    assert.deepEqual([await browser.isSignedIn(), await other.isSignedIn()], [false, false])
    assert.equal((await pending.open('/login/2fa')).location, '/login')
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [person.email, 'Your account will be deleted'])
    assert.match(mail?.text ?? '', /2026-01-15 /)
    assert.ok((await world.events(person)).includes('deletion-requested'))
  })

  it('is stopped by a completed sign-in, and not by the password alone [RA-1702]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    await ask(owner)
    world.clock.advance(DELETION_DAYS * DAY_SECONDS - 1)
    assert.equal(await world.app.get(Erasure).run(), 0)

    await browser.password(person)
    assert.equal((await world.database.selectFrom('account_deletion').selectAll().execute()).length, 1)
    await browser.code(await world.code(person))

    assert.match((await browser.open('/account')).html, /so your account stays/)
    world.clock.advance(DAY_SECONDS)
    assert.equal(await world.app.get(Erasure).run(), 0)
    assert.equal(await exists(world, person), true)
    assert.ok((await world.events(person)).includes('deletion-stopped'))
    assert.equal(world.mailbox.list()[0]?.subject, 'Your account stays')
  })

  it(
    'is refused for the last administrator, also if the only other one is about to go [RA-2201]',
    { skip: missing('administration') },
    async (test) => {
      const owner = await signedIn(test, { factor: 'enabled', permissions: EVERY_PERMISSION })
      const { world } = owner
      const alone = await ask(owner)
      const grace = await world.person('grace', { factor: 'enabled', permissions: EVERY_PERMISSION })
      const browser = world.browser()
      await browser.signIn(grace)

      assert.deepEqual([alone.status, /would leave no administrator/.test(alone.html)], [422, true])
      assert.equal(await owner.browser.isSignedIn(), true)
      assert.equal((await ask(owner)).status, 303)
      world.clock.advance(30)
      assert.equal((await ask({ world, browser, person: grace })).status, 422)
    },
  )
})

testMailLinks({
  'the link that stops the deletion of an account': {
    clauses: '[RA-1702]',
    make: async (world) => {
      const person = await world.person('ada')
      const browser = world.browser()
      await browser.signIn(person)
      await ask({ world, browser, person })
      return linkIn(world, '/deletion/stop/')
    },
    event: 'deletion-stopped',
    table: 'account_deletion',
  },
})
