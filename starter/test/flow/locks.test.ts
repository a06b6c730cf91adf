import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'

const CHOOSE = '/login/2fa/choose'
const RECOVERY = '/login/2fa/recovery'
const WRONG = '0000-0000-0000'

/** Somebody with recovery codes and two authenticators. */
async function twoApps(test: TestContext): Promise<{
  readonly world: World
  readonly phone: Person
  readonly tablet: Person
  readonly ids: readonly string[]
  readonly codes: readonly string[]
}> {
  const world = await World.create(test)
  const { person: phone, codes } = await enroll(world, world.browser(), 'ada')
  const { id, secret } = await world.identity.factors.add(phone.id, 'Tablet', world.clock)
  await world.identity.factors.enableUnproven(id, world.clock)
  const ids = (await world.identity.factors.list(phone.id)).map((factor) => factor.id)
  const first = ids.find((each) => each !== id) ?? ''
  world.clock.advance(30)
  return { world, phone, tablet: { ...phone, secret }, ids: [first, id], codes }
}

/** A pending login with one factor chosen. */
async function choose(world: World, person: Person, factor: string): Promise<Browser> {
  const browser = world.browser()
  await browser.password(person)
  await browser.open('/login/2fa')
  await browser.submit(CHOOSE, { factor })
  return browser
}

async function fail(world: World, person: Person, factor: string, times: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let time = 0; time < times; time += 1) {
    const browser = await choose(world, person, factor)
    const path = factor === person.id ? RECOVERY : '/login/2fa'
    await browser.open(path)
    pages.push(
      await browser.submit(path, { code: factor === person.id ? WRONG : await world.wrongCode(person) }),
    )
  }
  return pages
}

describe('the lock of a factor', () => {
  it('of an authenticator leaves the other authenticator and the recovery codes [RA-0801]', async (test) => {
    const { world, phone, tablet, ids, codes } = await twoApps(test)
    const [first = '', second = ''] = ids
    await fail(world, phone, first, AUTHENTICATOR_LIMIT.failures)

    const locked = await choose(world, phone, first)
    const refused = await locked.submit('/login/2fa', { code: await world.code(phone), factor: first })
    assert.equal(refused.status, 429)
    const other = await choose(world, phone, second)
    assert.equal((await other.code(await world.code(tablet))).location, '/account')
    const lost = await choose(world, phone, phone.id)
    await lost.open(RECOVERY)
    assert.equal((await lost.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
  })

  it('of the recovery codes leaves the authenticators [RA-0801]', async (test) => {
    const { world, phone, ids, codes } = await twoApps(test)
    await fail(world, phone, phone.id, RECOVERY_LIMIT.failures)

    const locked = await choose(world, phone, phone.id)
    await locked.open(RECOVERY)
    assert.equal((await locked.submit(RECOVERY, { code: codes[0] ?? '' })).status, 429)
    const app = await choose(world, phone, ids[0] ?? '')
    assert.equal((await app.code(await world.code(phone))).location, '/account')
  })

  it('gives nobody more tries than the account has, whatever factors they are for [RA-0801]', async (test) => {
    const { world, phone, ids } = await twoApps(test)
    const [first = '', second = ''] = ids
    const pages: Page[] = []
    for (const factor of [first, second, phone.id]) pages.push(...(await fail(world, phone, factor, 8)))

    const checked = pages.filter(({ status }) => status === 422)
    const refused = pages.filter(({ status }) => status === 429)

    assert.deepEqual([checked.length, refused.length], [FACTOR_LIMIT.failures, 24 - FACTOR_LIMIT.failures])
  })

  it('is counted for each authenticator also when 50 wrong codes come at once [RA-0801]', async (test) => {
    const { world, phone, ids } = await twoApps(test)
    const browsers: Browser[] = []
    for (let count = 0; count < 50; count += 1) browsers.push(await choose(world, phone, ids[0] ?? ''))

    const code = await world.wrongCode(phone)

    const pages = await Promise.all(browsers.map((browser) => browser.submit('/login/2fa', { code })))

    assert.equal(pages.filter(({ status }) => status === 422).length, AUTHENTICATOR_LIMIT.failures)
    const tablet = await choose(world, phone, ids[1] ?? '')
    assert.equal((await tablet.submit('/login/2fa', { code })).status, 422)
  })
})
