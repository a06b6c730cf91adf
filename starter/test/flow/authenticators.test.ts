import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generate } from 'otplib/functional'
import { MAX_AUTHENTICATORS } from '../../core/factors/factor-setups.ts'
import { ENROLLMENT_LIMIT } from '../../core/limits/limits.ts'
import type { Person, World } from '../support.ts'
import {
  codesOf,
  ADD,
  addFactor,
  atDoor,
  DOOR,
  factorIds,
  pathOf,
  SECURITY,
  signedIn,
  withSecretOf,
  confirm,
  enrolled,
} from './steps.ts'

async function addAuthenticators(world: World, { id }: Person, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const added = await world.identity.factors.add(id, `App ${index}`, world.clock)
    await world.identity.factors.enableUnproven(added.id, world.clock)
  }
}

describe('an additional authenticator', () => {
  it('shows picture and key in the page, and counts after its first code, which is used, whatever else the form says [RA-1101 RA-1103 RA-1104 RA-0403 RA-2703 A-075]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const shown = await browser.open(ADD)
    const added = withSecretOf(person, shown)
    assert.match(shown.html, /role="img"[^>]*>\s*<svg/)
    const other = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const fields = { label: 'Pixel 9', secret: other, issuer: 'x', period: '30', algorithm: 'SHA1', id: 'x' }
    const otherCode = await generate({ secret: other, epoch: world.clock.timestamp() })
    for (const code of [await world.wrongCode(added), await world.code(person), otherCode]) {
      const wrong = await browser.submit(ADD, { ...fields, code })
      assert.equal(wrong.status, 422)
      assert.match(wrong.html, /value="Pixel 9"/)
    }
    assert.equal((await world.identity.factors.list(person.id)).length, 1)

    const code = await world.code(added)
    const page = await browser.submit(ADD, { ...fields, code })

    assert.deepEqual([page.status, page.location], [303, SECURITY])
    const secret = added.secret?.reveal() ?? ''
    const stored = await world.database.selectFrom('factor').selectAll().execute()
    assert.equal(JSON.stringify([stored, await browser.session()]).includes(secret), false)
    assert.equal((await world.events(person)).at(-1), 'factor-enabled')
    const login = await atDoor(world, person)
    // That code is used, and so are those before it.
    for (const used of [code, await world.code(added, -1)])
      assert.equal((await login.submit(DOOR, { code: used })).status, 422)
    // The one that was there before counts, too.
    assert.equal((await login.submit(DOOR, { code: await world.code(person) })).location, '/account')
  })

  it('limits wrong codes, and says for how long [FACTOR-17]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const shown = withSecretOf(person, await browser.open(ADD))
    const code = await world.wrongCode(shown)
    for (let times = 0; times < ENROLLMENT_LIMIT.failures; times += 1)
      assert.equal((await browser.submit(ADD, { label: 'X', code })).status, 422)

    const page = await browser.submit(ADD, { label: 'X', code: await world.code(shown) })

    assert.equal(page.status, 429)
    assert.match(page.html, /Wait \d+ minutes/)
  })

  it(`is one of ${MAX_AUTHENTICATORS} at most: no page shows a secret of one more, and no code adds it; one can be replaced [RA-1104 RA-1701]`, async (test) => {
    const { world, browser, person } = await signedIn(test)
    await addAuthenticators(world, person, MAX_AUTHENTICATORS - 2)
    const shown = withSecretOf(person, await browser.open(ADD))
    await addAuthenticators(world, person, 1)

    const pages = [
      await browser.submit(ADD, { label: 'App', code: await world.code(shown) }),
      await browser.open(ADD),
    ]

    for (const { status, location } of pages) assert.deepEqual([status, location], [303, SECURITY])
    assert.match((await browser.open(SECURITY)).html, /You have 25 authenticators\. Remove one/)
    const [first, ...others] = await world.identity.factors.list(person.id)
    assert.equal(others.length, MAX_AUTHENTICATORS - 1)
    assert.equal((await browser.open(`${SECURITY}/factors/${first?.id}/replace`)).status, 200)
  })
})

describe('the first authenticator of a signed-in account', () => {
  it('needs the password proven just before, and comes with recovery codes [RA-1101 RA-0104]', async (test) => {
    const owner = await signedIn(test, {})
    const { world, browser, person } = owner
    world.clock.advance(300)
    const asked = await browser.open(ADD, { follow: true })
    assert.equal(asked.html.includes('name="code"'), false)
    assert.ok(asked.html.includes('name="password"'))

    const { added, page } = await addFactor(owner, 'Phone')

    assert.equal(codesOf(page).length, 10)
    assert.equal(await world.identity.codes.left(person.id), 10)
    world.clock.advance(30)
    const login = await atDoor(world, person)
    assert.equal((await login.submit(DOOR, { code: await world.code(added) })).location, '/account')
  })
})

describe('replacing an authenticator', () => {
  it('leaves the old one in its place for a wrong code and for one of an addition, and then takes its place in one step [RA-1701 FACTOR-25 FACTOR-26 FACTOR-27 FACTOR-32 A-074]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    const path = await pathOf(owner, 'replace')
    const before = await factorIds(world, person)
    const addition = withSecretOf(person, await browser.open(ADD))

    const other = await browser.submit(path, { label: 'X', code: await world.code(addition) })
    const added = withSecretOf(person, await browser.open(path))
    const wrong = await browser.submit(path, { label: 'X', code: await world.wrongCode(added) })

    assert.deepEqual([other.location, wrong.status], [path, 422])
    assert.deepEqual(await factorIds(world, person), before)
    await browser.submit(path, { label: 'New phone', code: await world.code(added) })
    const [factor, ...others] = await world.identity.factors.list(person.id)
    assert.deepEqual([factor?.label, others], ['New phone', []])
    assert.equal((await world.events(person)).at(-1), 'factor-replaced')
    world.clock.advance(30)
    const login = await atDoor(world, person)
    assert.equal((await login.submit(DOOR, { code: await world.code(person) })).status, 422)
    assert.equal((await login.submit(DOOR, { code: await world.code(added) })).location, '/account')
  })
})

describe('removing an authenticator', () => {
  it('stops counting at once, and the last one takes the recovery codes with it [RA-1701 RA-1702 RA-1002 FACTOR-34]', async (test) => {
    const owner = await enrolled(test)
    const { world, browser, person } = owner
    await browser.open('/enroll')
    await browser.submit('/enroll/done')
    world.clock.advance(30)
    const { added } = await addFactor(owner, 'Second')
    world.clock.advance(30)
    await browser.send(await pathOf(owner, 'remove'))
    const login = await atDoor(world, person)
    assert.equal((await login.submit(DOOR, { code: await world.code(person) })).status, 422)
    assert.equal(await world.identity.codes.left(person.id), 10)

    // It may have been the factor that was proven: the next change asks again.
    const path = await pathOf(owner, 'remove')
    assert.match((await browser.open(path)).location ?? '', /^\/account\/confirm/)
    await confirm(world, browser, { person: added, path })
    await browser.submit(path)

    assert.equal((await world.events(person)).at(-1), 'factor-removed')
    assert.equal(await world.identity.secondFactors.isRequired(person.id), false)
    assert.equal(await world.identity.codes.left(person.id), 0)
    assert.equal((await world.browser().password(person)).location, '/account')
  })

  it('leaves the last one while a policy requires one, also of two tabs that remove the last two at once [RA-1002 RA-1701 RA-2502]', async (test) => {
    const owner = await signedIn(test, { factor: 'enabled', permissions: ['admin.access'] })
    const { world, browser, person } = owner
    await addFactor(owner, 'Second')
    const ids = await factorIds(world, person)
    await browser.open(`${SECURITY}/factors/${ids[0]}/remove`)
    const twins = ids.map((id) => ({ twin: browser.twin(), path: `${SECURITY}/factors/${id}/remove` }))

    await Promise.all(twins.map(({ twin, path }) => twin.submit(path)))

    assert.equal((await world.identity.factors.list(person.id)).length, 1)
    assert.equal((await world.events(person)).filter((kind) => kind === 'factor-removed').length, 1)
    assert.deepEqual(world.faults, [])
  })

  it('finds only authenticators of the own account, as renaming and replacing do [AUTH-28]', async (test) => {
    const { world, browser } = await signedIn(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    const [id] = await factorIds(world, bob)
    await browser.open('/account')
    const fields = { label: 'Mine', code: await world.code(bob) }

    for (const what of ['replace', 'rename', 'remove'])
      for (const factor of [id, 'nothing']) {
        const path = `${SECURITY}/factors/${factor}/${what}`
        for (const page of [await browser.open(path), await browser.submit(path, fields)])
          assert.deepEqual([page.status, page.location], [303, SECURITY])
      }

    assert.equal((await world.identity.factors.list(bob.id))[0]?.label, 'Authenticator app')
  })
})
