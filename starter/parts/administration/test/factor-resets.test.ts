import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Outbox } from 'sallyport-app/mail'
import { Administration } from './administration.ts'
import { ADMINISTRATOR } from '../permission.ts'
import type { Act } from '../acts.ts'
import type { FactorResets } from '../factor-resets.ts'
import { type Person, World } from '../../../test/support.ts'
import { isRefusedBy } from './refused.ts'

const OPERATOR: Act = { by: { kind: 'operator', name: 'olga' }, reason: 'lost the phone' }

function by({ id }: Person, reason = 'lost the phone'): Act {
  return { by: { kind: 'account', id, clientAddress: '192.0.2.7', device: '' }, reason }
}

interface Office {
  readonly world: World
  readonly resets: FactorResets
  readonly root: Person
  readonly other: Person
  readonly bob: Person
}

/** Two administrators and somebody with a factor; with `two`, a second person approves. */
async function office(test: TestContext, two = false): Promise<Office> {
  const world = await World.create(test, { resetNeedsApproval: two })
  const { resets } = world.app.get(Administration)
  const root = await world.person('root', { permissions: ADMINISTRATOR, factor: 'enabled' })
  const other = await world.person('other', { permissions: ADMINISTRATOR, factor: 'enabled' })
  return { world, resets, root, other, bob: await world.person('bob', { factor: 'enabled' }) }
}

async function requestOf(resets: FactorResets): Promise<string> {
  return (await resets.waiting(10))[0]?.id ?? ''
}

type Happening = readonly [name: string, happen: (world: World, bob: Person) => Promise<unknown>]

// What says that the second step is not lost, or that the request is about other credentials.
const ENDS: readonly Happening[] = [
  ['its owner signs in with a factor', (world, bob) => world.browser().signIn(bob)],
  [
    'the password is changed',
    async (world, bob) => {
      const browser = world.browser()
      await browser.signIn(bob)
      await browser.open('/account/password')
      const page = await browser.submit('/account/password', { password: 'another gate of two doors' })
      assert.equal(page.status, 303)
    },
  ],
  ['its sessions are ended', (world, bob) => world.app.get(Administration).sessions.endAll(OPERATOR, bob.id)],
]

describe('the reset of second factors', () => {
  it('removes every factor, ends every session and login, and the next login leads to a new factor only [RA-2201 RA-2101]', async (test) => {
    const { world, resets, root, bob } = await office(test)
    const [signedIn, pending] = [world.browser(), world.browser()]
    await signedIn.signIn(bob)
    await pending.password(bob)

    assert.equal(await resets.reset(by(root), bob.id), 'reset')

    assert.deepEqual(await world.identity.secondFactors.usable(bob.id), [])
    assert.equal(await signedIn.isSignedIn(), false)
    assert.equal((await pending.open('/login/2fa')).location, '/login')
    const next = world.browser()
    assert.equal((await next.password(bob)).location, '/enroll')
    assert.equal(await next.isSignedIn(), false)
    assert.equal((await next.open('/account')).status, 302)
  })

  it('is recorded with who and why, and tells the owner by mail [RA-2201 RA-2401 RA-0008]', async (test) => {
    const { world, resets, root, bob } = await office(test)

    await resets.reset(by(root, 'ticket 4711, seen on video'), bob.id)
    await world.app.get(Outbox).sendNew()

    const [act] = await world.app.get(Administration).log.latest(1, bob.id)
    assert.deepEqual(
      [act?.kind, act?.actor, act?.actorName, act?.name, act?.reason],
      ['factors-reset', root.id, 'root', 'bob', 'ticket 4711, seen on video'],
    )
    const [mail] = world.mailbox.list()
    assert.equal(mail?.to, bob.email)
    assert.equal(/4711/.test(mail?.text ?? ''), false)
  })
})

describe('the reset of second factors by two persons', () => {
  it('changes nothing until another person approves, and tells the owner [RA-2201 RA-2101]', async (test) => {
    const { world, resets, root, other, bob } = await office(test, true)
    const browser = world.browser()
    await browser.signIn(bob)

    assert.equal(await resets.reset(by(root), bob.id), 'requested')
    await world.app.get(Outbox).sendNew()
    assert.match(world.mailbox.list()[0]?.text ?? '', /sign in with it: that ends the request/)
    const request = await requestOf(resets)
    await assert.rejects(resets.approve(by(root), request), isRefusedBy('second_person'))
    assert.equal(await browser.isSignedIn(), true)
    await resets.approve(by(other, 'called her back'), request)

    assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual(await resets.waiting(10), [])
    assert.deepEqual(
      (await world.app.get(Administration).log.latest(5, bob.id)).map(({ kind, actorName }) => [
        kind,
        actorName,
      ]),
      [
        ['factors-reset', 'other'],
        ['factor-reset-requested', 'root'],
      ],
    )
  })

  for (const [name, happen] of ENDS)
    it(`a request ends, and no later approval removes a factor, when ${name} [RA-2201 RA-2101]`, async (test) => {
      const { world, resets, root, other, bob } = await office(test, true)
      await resets.reset(by(root), bob.id)
      const request = await requestOf(resets)

      await happen(world, bob)

      assert.deepEqual(await resets.waiting(10), [])
      await assert.rejects(resets.approve(by(other, 'called him back'), request), isRefusedBy('request_over'))
      assert.equal((await world.identity.factors.list(bob.id)).length, 1)
    })

  it('the owner of the account approves nothing about it [RA-2201]', async (test) => {
    const { resets, root, other } = await office(test, true)
    await resets.reset(by(root), other.id)

    const request = await requestOf(resets)

    await assert.rejects(resets.approve(by(other), request), isRefusedBy('own_account'))
  })

  it('of fifty parallel approvals one counts, and nothing is recorded twice [RA-2201 RA-2502]', async (test) => {
    const { world, resets, root, other, bob } = await office(test, true)
    await resets.reset(by(root), bob.id)
    const request = await requestOf(resets)

    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => resets.approve(by(other), request)),
    )

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.ok(
      outcomes.every(
        (outcome) => outcome.status === 'fulfilled' || isRefusedBy('request_over')(outcome.reason),
      ),
    )
    const kinds = (await world.events(bob)).filter((kind) => kind === 'factors-reset')
    assert.equal(kinds.length, 1)
  })

  it('who asks at the command line does not approve there, however the name is typed [RA-2201 RA-2204]', async (test) => {
    const { world, resets, other, bob } = await office(test, true)
    const as = (name: string): Act => ({ by: { kind: 'operator', name }, reason: 'lost the phone' })
    await resets.reset(as('Root'), bob.id)
    const request = await requestOf(resets)

    for (const name of ['root', ' ROOT '])
      await assert.rejects(resets.approve(as(name), request), isRefusedBy('second_person'), name)
    assert.equal((await world.identity.factors.list(bob.id)).length, 1)
    await resets.approve(by(other), request)
    assert.deepEqual(await world.identity.factors.list(bob.id), [])
  })

  it('a request expires, waits alone, and may be asked for again afterwards [RA-2201]', async (test) => {
    const { world, resets, root, other, bob } = await office(test, true)
    await resets.reset(by(root), bob.id)
    const request = await requestOf(resets)
    await assert.rejects(resets.reset(by(other), bob.id), isRefusedBy('already_requested'))

    world.clock.advance(24 * 60 * 60)

    await assert.rejects(resets.approve(by(other), request), isRefusedBy('request_over'))
    assert.deepEqual(await resets.waiting(10), [])
    assert.equal(await resets.reset(by(other), bob.id), 'requested')
    await resets.approve(by(root), await requestOf(resets))
    assert.deepEqual(await world.identity.secondFactors.usable(bob.id), [])
  })

  it('who lost the permission after asking has asked for nothing [RA-2201]', async (test) => {
    const { world, resets, root, other, bob } = await office(test, true)
    await resets.reset(by(root), bob.id)
    const { grants } = world.app.get(Administration)
    await grants.withdraw(by(other), { accountId: root.id, permission: 'factors.reset' })

    await assert.rejects(resets.approve(by(other), await requestOf(resets)), isRefusedBy('requester_gone'))
    assert.equal((await world.identity.secondFactors.usable(bob.id)).length, 1)
    await resets.cancel(by(other), await requestOf(resets))
    assert.deepEqual(await resets.waiting(10), [])
  })
})
