import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Administration } from './administration.ts'
import { ADMINISTRATOR } from '../permission.ts'
import type { Act } from '../acts.ts'
import type { FactorResets } from '../factor-resets.ts'
import { type Person, World } from '../../../test/support.ts'
import { isRefusedBy } from './refused.ts'

function by({ id }: Person): Act {
  return { by: { kind: 'account', id, clientAddress: '192.0.2.7', device: '' }, reason: 'lost the phone' }
}

function operator(name: string): Act {
  return { by: { kind: 'operator', name }, reason: 'lost the phone' }
}

/** An office where two persons reset factors, and where time passes between two acts. */
class Office {
  readonly world: World
  readonly resets: FactorResets

  private constructor(world: World) {
    this.world = world
    this.resets = world.app.get(Administration).resets
  }

  static async open(test: TestContext): Promise<Office> {
    return new Office(await World.create(test, { resetNeedsApproval: true }))
  }

  installed(name: string): Promise<Person> {
    return this.world.person(name, { permissions: ADMINISTRATOR, factor: 'enabled' })
  }

  async appointed(name: string, act: Act): Promise<Person> {
    const person = await this.world.person(name, { factor: 'enabled' })
    await this.appoint(person, act)
    return person
  }

  /** Adds an account without permissions, and chooses its password behind the link. */
  async added(name: string, act: Act): Promise<Person> {
    const { accounts } = this.world.app.get(Administration)
    const email = `${name}@example.test`
    const { id, token } = await accounts.add(act, { email, name, permissions: [] })
    await accounts.choosePassword(token, { passwordHash: 'chosen', clientAddress: '', device: '' })
    this.world.clock.advance(60)
    return { id, email, secret: undefined }
  }

  async appoint(person: Person, act: Act): Promise<void> {
    for (const permission of ADMINISTRATOR)
      await this.world.app.get(Administration).grants.grant(act, { accountId: person.id, permission })
    this.world.clock.advance(60)
  }

  async dismiss(person: Person, act: Act): Promise<void> {
    for (const permission of ADMINISTRATOR)
      await this.world.app.get(Administration).grants.withdraw(act, { accountId: person.id, permission })
    this.world.clock.advance(60)
  }

  async request(act: Act): Promise<string> {
    const bob = await this.world.person('bob', { factor: 'enabled' })
    await this.resets.reset(act, bob.id)
    this.world.clock.advance(60)
    return (await this.resets.waiting(1))[0]?.id ?? ''
  }

  async assertRefused(request: string, act: Act): Promise<void> {
    const found = await this.resets.find(request)
    assert.ok(found !== undefined)
    if (act.by.kind === 'account') assert.equal(await this.resets.barOf(found, act.by.id), 'dependent_person')
    await assert.rejects(this.resets.approve(act, request), isRefusedBy('dependent_person'))
  }

  async assertApproved(request: string, person: Person): Promise<void> {
    const found = await this.resets.find(request)
    assert.ok(found !== undefined)
    assert.equal(await this.resets.barOf(found, person.id), undefined)
    await this.resets.approve(by(person), request)
    assert.deepEqual(await this.resets.waiting(1), [])
  }
}

describe('two persons who must agree on a reset', () => {
  it('are not two when the one who asks granted the permission to the other [MEND-03]', async (test) => {
    const office = await Office.open(test)
    const anna = await office.installed('anna')
    const independent = await office.installed('ines')
    const ben = await office.appointed('ben', by(anna))

    const request = await office.request(by(anna))

    await office.assertRefused(request, by(ben))
    await office.assertApproved(request, independent)
  })

  it('are not two when the one who approves granted it to the one who asks [MEND-03]', async (test) => {
    const office = await Office.open(test)
    const anna = await office.installed('anna')
    const independent = await office.installed('ines')
    const ben = await office.appointed('ben', by(anna))

    const request = await office.request(by(ben))

    await office.assertRefused(request, by(anna))
    await office.assertApproved(request, independent)
  })

  it('are not two when the permission is newer than the request, whoever granted it [MEND-03]', async (test) => {
    const office = await Office.open(test)
    const anna = await office.installed('anna')
    const independent = await office.installed('ines')
    const request = await office.request(by(anna))

    const late = await office.appointed('late', by(independent))
    const appointed = await office.appointed('olaf', operator('olga'))

    for (const person of [late, appointed]) await office.assertRefused(request, by(person))
    await office.assertApproved(request, independent)
  })

  it('are two when somebody else granted the permission again before the request [MEND-03]', async (test) => {
    const office = await Office.open(test)
    const anna = await office.installed('anna')
    const independent = await office.installed('ines')
    const ben = await office.appointed('ben', by(anna))
    await office.dismiss(ben, by(independent))
    await office.appoint(ben, by(independent))

    await office.assertApproved(await office.request(by(anna)), ben)
  })

  it('are not two when the one who asks got the set-up link of the other, whoever granted the permission [MEND-03]', async (test) => {
    const office = await Office.open(test)
    const anna = await office.installed('anna')
    const independent = await office.installed('ines')
    const newAccounts = office.world.app.get(Administration).accounts
    const owner = { email: 'new@example.test', name: 'New', permissions: ADMINISTRATOR }
    const added = await newAccounts.add(by(independent), owner)
    office.world.clock.advance(60)
    const { token } = await newAccounts.renewLink(by(anna), added.id)
    await newAccounts.choosePassword(token, { passwordHash: 'chosen', clientAddress: '', device: '' })
    office.world.clock.advance(60)

    const request = await office.request(by(anna))

    await office.assertRefused(request, by({ id: added.id, email: owner.email, secret: undefined }))
  })

  it('are not two when the one who asks made the set-up link before the other was appointed [MEND-03]', async (test) => {
    const office = await Office.open(test)
    const anna = await office.installed('anna')
    const independent = await office.installed('ines')
    const puppet = await office.added('one', by(anna))

    await office.appoint(puppet, by(independent))

    await office.assertRefused(await office.request(by(anna)), by(puppet))
  })
})
