import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AccountActs } from '../account-acts.ts'
import { Grants } from '../grants.ts'
import { NewAccounts } from '../new-accounts.ts'
import { ForbiddenException } from 'sallyport/http'
import { Outbox } from 'sallyport-app/mail'
import { newestLink, personOf } from '../../../test/flow/steps.ts'
import { ADMINISTRATOR } from '../permission.ts'
import type { Act } from '../acts.ts'
import { countAdministrators } from '../last-administrator.ts'
import { type Person, World } from '../../../test/support.ts'
import { isRefusedBy } from './refused.ts'

const OPERATOR: Act = { by: { kind: 'operator', name: 'olga' }, reason: 'ticket 4711' }

function by({ id }: Person, reason = 'ticket 4711'): Act {
  return { by: { kind: 'account', id, clientAddress: '192.0.2.7', device: '' }, reason }
}

async function permissionsOf(world: World, { id }: Person): Promise<readonly string[]> {
  return (await world.identity.users.authenticationIdentity(id))?.permissions.toSorted() ?? []
}

async function acts({ database }: World): Promise<readonly unknown[]> {
  return database.selectFrom('event').select('kind').where('actor', 'is not', null).execute()
}

/** What the pages of the administration and the commands do. */
function servicesOf({ app }: World) {
  return { accounts: app.get(NewAccounts), grants: app.get(Grants), states: app.get(AccountActs) }
}

/** Everything that is done to an account. */
function attemptsOn(world: World, act: Act, { id }: Person): readonly (() => Promise<unknown>)[] {
  const { states, grants, accounts } = servicesOf(world)
  const grant = { accountId: id, permission: 'admin.access' }
  return [
    () => states.disable(act, id),
    () => states.enable(act, id),
    () => states.endSessions(act, id),
    () => states.endEverybodysSessions(act),
    () => states.resetFactors(act, id),
    () => grants.grant(act, grant),
    () => grants.withdraw(act, grant),
    () => accounts.add(act, { email: 'new@example.test', name: 'New', permissions: [] }),
  ]
}

async function two(test: TestContext): Promise<{ world: World; root: Person; other: Person }> {
  const world = await World.create(test)
  const root = await world.person('root', { permissions: ADMINISTRATOR })
  return { world, root, other: await world.person('other', { permissions: ADMINISTRATOR }) }
}

describe('every act of the administration', () => {
  it('asks for a reason in one line of 5 to 500 characters [RA-2201]', async (test) => {
    const { world, root, other } = await two(test)
    const { states } = servicesOf(world)

    for (const reason of [
      '',
      'abc',
      'two\nlines of it',
      'x'.repeat(501),
      '\u202egnp.xeri',
      '\u200b'.repeat(9),
    ])
      await assert.rejects(states.disable(by(root, reason), other.id), isRefusedBy('reason_missing'))
    for (const attempt of attemptsOn(world, by(root, '    '), other))
      await assert.rejects(attempt(), isRefusedBy('reason_missing'))
    assert.deepEqual(await acts(world), [])
  })

  it('without any page, refuses who lacks its permission at that moment [SCOPE-21 SCOPE-23]', async (test) => {
    const { world, root } = await two(test)
    const eve = await world.person('eve', { permissions: ['admin.access'] })

    for (const attempt of attemptsOn(world, by(eve), root))
      await assert.rejects(attempt(), ForbiddenException)
    assert.deepEqual(await acts(world), [])
  })

  it('by a session that has ended meanwhile is refused, although the account may do it [RA-1901 RA-3001]', async (test) => {
    const { world, root, other } = await two(test)
    const { states } = servicesOf(world)
    const actor = { kind: 'account', id: root.id, clientAddress: '', device: '' } as const
    const act = (credentialVersion: number): Act => ({
      by: { ...actor, credentialVersion },
      reason: 'ticket 4711',
    })
    await states.endSessions(OPERATOR, root.id)

    await assert.rejects(states.disable(act(1), other.id), ForbiddenException)
    assert.equal(await states.disable(act(2), other.id), true)
  })
})

describe('rules that refuse even who is permitted', () => {
  it('nobody disables the own account, raises the own permissions, or hands on what they do not hold [SCOPE-22 RA-2201]', async (test) => {
    const world = await World.create(test)
    const { grants, accounts, states } = servicesOf(world)
    const eve = await world.person('eve', { permissions: ['admin.access', 'accounts.permissions'] })
    const second = await world.person('second')
    const reset = 'factors.reset'

    const root = await world.person('root', { permissions: ['accounts.manage', reset] })
    const owner = { email: 'third@example.test', name: 'Third', permissions: [reset] }
    const grant = (person: Person): Promise<unknown> =>
      grants.grant(by(eve), { accountId: person.id, permission: reset })

    await assert.rejects(grant(eve), isRefusedBy('own_account'))
    await assert.rejects(states.disable(by(root), root.id), isRefusedBy('own_account'))
    await assert.rejects(states.resetFactors(by(root), root.id), isRefusedBy('own_account'))
    await assert.rejects(grant(second), isRefusedBy('permission_not_held'))
    await assert.rejects(accounts.add(by(eve), owner), isRefusedBy('permission_not_held'))
    assert.deepEqual(await permissionsOf(world, eve), ['accounts.permissions', 'admin.access'])
    assert.deepEqual(await permissionsOf(world, second), [])
    assert.equal(await world.identity.users.findByEmail('third@example.test'), null)
  })

  it('nobody grants what is no permission, and anybody permitted may withdraw what is none any more', async (test) => {
    const { world, root } = await two(test)
    const { grants } = servicesOf(world)
    const bob = await world.person('bob', { permissions: ['of.an.older.version'] })

    for (const permission of ['', 'root', 'Admin.Access', 'admin.access ', '__proto__'])
      await assert.rejects(
        grants.grant(OPERATOR, { accountId: bob.id, permission }),
        isRefusedBy('unknown_permission'),
      )
    const old = { accountId: bob.id, permission: 'of.an.older.version' }
    assert.equal(await grants.withdraw(by(root), old), true)
    assert.deepEqual(await permissionsOf(world, bob), [])
  })

  it('nobody removes the last administrator, not even at the command line: only those count who can sign in and let others in [SCOPE-22 SCOPE-23 RA-2903]', async (test) => {
    const world = await World.create(test)
    const { states, grants } = servicesOf(world)
    const root = await world.person('root', { permissions: ADMINISTRATOR })
    // None of them could let anybody in.
    await world.person('helper', { permissions: ['admin.access', 'accounts.manage'] })
    const off = await world.person('off', { permissions: ['accounts.permissions'] })
    const owner = { email: 'new@example.test', name: 'New', passwordHash: null }
    const id = await world.identity.users.add({ ...owner, permissions: ADMINISTRATOR }, world.clock)
    const withdraw = (permission: string): Promise<boolean> =>
      grants.withdraw(OPERATOR, { accountId: root.id, permission })

    for (const attempt of [
      () => states.disable(OPERATOR, root.id),
      () => withdraw('accounts.permissions'),
      () => withdraw('admin.access'),
    ])
      await assert.rejects(attempt(), isRefusedBy('last_administrator'))

    assert.deepEqual(await permissionsOf(world, root), ADMINISTRATOR.toSorted())
    assert.deepEqual(await acts(world), [])
    assert.equal(await states.disable(OPERATOR, off.id), true)
    const key = await world.identity.factors.add(id, 'Key', world.clock)
    await world.identity.factors.enableUnproven(key.id, world.clock)
    assert.equal(await states.disable(OPERATOR, root.id), true)
  })

  it('two administrators who remove each other at once: one stays', async (test) => {
    const { world, root, other } = await two(test)
    const { states, grants } = servicesOf(world)
    const permission = 'accounts.permissions'

    const outcomes = await Promise.allSettled([
      states.disable(by(root), other.id),
      grants.withdraw(by(other), { accountId: root.id, permission }),
    ])

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await countAdministrators(world.database), 1)
  })
})

describe('disabling an account, and the end of sessions', () => {
  it('signs out at once and for good: one account, or everybody [RA-2202 RA-1901 RA-3001]', async (test) => {
    const { world, root, other } = await two(test)
    const { states } = servicesOf(world)
    const [his, own] = [world.browser(), await world.inside(root)]

    for (const end of [
      () => states.disable(by(root), other.id),
      () => states.endSessions(by(root), other.id),
    ]) {
      await his.signIn(other)
      assert.equal(Number(await end()), 1)
      assert.deepEqual(await his.session(), {})
      await states.enable(by(root), other.id)
      assert.deepEqual([await his.isSignedIn(), await own.isSignedIn()], [false, true])
    }
    await his.signIn(other)

    assert.equal(await states.endEverybodysSessions(OPERATOR), 2)
    assert.deepEqual([await his.isSignedIn(), await own.isSignedIn()], [false, false])
  })
})

describe('the reset of second factors', () => {
  it('removes every factor, ends every session and login, and the next login sets up a new one; a mail tells it, without the reason [RA-2201 RA-2101 RA-2401 FACTOR-34]', async (test) => {
    const { world, root } = await two(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    const inside = await world.inside(bob)
    const [pending, next] = [world.browser(), world.browser()]
    await pending.password(bob)

    await world.app.get(AccountActs).resetFactors(by(root), bob.id)

    await world.app.get(Outbox).sendNew()
    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, /4711/.test(mail?.text ?? '')], [bob.email, false])
    assert.deepEqual(await world.identity.secondFactors.usable(bob.id), [])
    assert.equal(await inside.isSignedIn(), false)
    assert.equal((await pending.open('/login/2fa')).location, '/login')
    assert.equal((await next.password(bob)).location, '/enroll')
    assert.equal(await next.isSignedIn(), false)
    assert.equal(await world.identity.policy.mayRemove(bob.id, ''), false)
    await next.send(newestLink(world))
    const again = await personOf(world, 'bob', await next.open('/enroll'))
    await next.submit('/enroll', { code: await world.code(again) })
    await next.open('/enroll')
    await next.submit('/enroll/done')
    assert.equal(await next.isSignedIn(), true)
    assert.equal(await world.identity.policy.mayRemove(bob.id, ''), true)
  })
})
