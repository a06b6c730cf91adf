import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PENDING_LOGIN_KEY } from '../../core/challenges/pending-login.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { failuresOf } from '../failures.ts'
import type { Page, Person, World } from '../support.ts'
import { atDoor, DOOR, enrolled, RECOVERY } from './steps.ts'

const LOCKED = /locked until\s*<time datetime="([^"]+)"/

/** Somebody with a phone, a tablet and recovery codes. */
async function several(test: TestContext) {
  const { world, person: ada, codes } = await enrolled(test)
  const { id, secret } = await world.identity.factors.add(ada.id, 'Tablet', world.clock)
  await world.identity.factors.enableUnproven(id, world.clock)
  world.clock.advance(30)
  return { world, ada, tablet: { ...ada, secret }, recovery: codes[0] ?? '' }
}

/** Sends a code on a page, in a login of its own. */
async function enter(world: World, person: Person, path: string, code: string): Promise<Page> {
  return (await atDoor(world, person, path)).submit(path, { code })
}

/** Types wrong codes on a page, each in a login of its own. */
async function fail(
  { world, ada, tablet }: Awaited<ReturnType<typeof several>>,
  path: string,
  times: number,
): Promise<readonly Page[]> {
  const near = [ada, tablet].flatMap((person) => [-1, 0, 1].map((step) => world.code(person, step)))
  const taken = new Set(await Promise.all(near))
  const digits = ['000000', '111111', '222222'].find((each) => !taken.has(each)) ?? ''
  const code = path === RECOVERY ? '0000-0000-0000' : digits
  const pages: Page[] = []
  for (let time = 0; time < times; time += 1) pages.push(await enter(world, ada, path, code))
  return pages
}

describe('the second door of an account with several factors', () => {
  it('names all authenticators, links the pages of the others, which change nothing of _2fa, and takes a code of any, also of a step that another one has used [RA-0301 RA-0302 RA-0303 FACTOR-07]', async (test) => {
    const { world, ada, tablet } = await several(test)
    const browser = await atDoor(world, ada)
    const before = await browser.session()
    const written = { identifier: ada.id, expires_at: world.clock.timestamp() + 300 }
    assert.deepEqual(before[PENDING_LOGIN_KEY], written)

    const { html } = await browser.open(DOOR)
    const other = await browser.open(RECOVERY)
    await browser.open(`${DOOR}?with=code`)

    assert.match(html, /<strong>[^<]*Authenticator app[^<]*Tablet[^<]*<\/strong>/)
    assert.match(html, new RegExp(`href="${RECOVERY}"`))
    assert.match(other.html, /href="\/login\/2fa\?with=code"/)
    assert.deepEqual(await browser.session(), before)
    const page = await browser.submit(DOOR, { code: await world.code(tablet) })
    assert.equal(page.location, '/account')
    assert.equal((await enter(world, ada, DOOR, await world.code(ada))).location, '/account')
  })

  it('takes no code of somebody else, and none of what is left where the authenticators were removed [RA-0301 RA-2708 FACTOR-34]', async (test) => {
    const { world, ada } = await several(test)
    const browser = await atDoor(world, ada)
    const bob = await world.person('bob', { factor: 'enabled' })
    assert.equal((await browser.code(await world.code(bob))).status, 422)
    await world.database.deleteFrom('factor').where('account_id', '=', ada.id).execute()
    const before = await failuresOf(world.database)

    const page = await browser.submit(DOOR, { code: await world.code(ada) })

    assert.deepEqual([page.status, page.location], [303, DOOR])
    assert.deepEqual(await failuresOf(world.database), before, 'no attempt')
    assert.equal('_auth' in (await browser.session()), false)
  })
})

describe('the lock of a factor', () => {
  it('leaves the other ones as they are, is told with its deadline, and counts from the last right code [RA-0301 RA-0801 RA-0803 RA-2804]', async (test) => {
    const scene = await several(test)
    const { world, ada, tablet, recovery } = scene
    await fail(scene, DOOR, 1)
    await fail(scene, RECOVERY, RECOVERY_LIMIT.failures)
    assert.equal((await enter(world, ada, RECOVERY, recovery)).status, 429)
    assert.equal((await enter(world, ada, DOOR, await world.code(tablet))).location, '/account')
    world.clock.advance(10 * 60)

    // Together more than the account has. The wrong one before counts for the phone only.
    const last = (await fail(scene, DOOR, AUTHENTICATOR_LIMIT.failures)).at(-1)

    const deadline = world.clock.timestamp() + AUTHENTICATOR_LIMIT.windowSeconds
    assert.equal(last?.status, 422)
    assert.match(last?.html ?? '', /Too many wrong codes\. Wait 15 minutes/)
    assert.equal((await world.events(ada)).filter((kind) => kind === 'code-locked').length, 3)
    world.clock.advance(5 * 60)
    const locked = await enter(world, ada, DOOR, await world.code(ada))
    assert.equal(locked.status, 429)
    assert.equal(Number(locked.headers.get('retry-after')), deadline - world.clock.timestamp())
    const browser = await atDoor(world, ada, RECOVERY)
    const { html } = await browser.open(RECOVERY)
    assert.doesNotMatch(html, /Too many wrong codes/)
    assert.equal(Date.parse(LOCKED.exec(html)?.[1] ?? '') / 1000, deadline)
    assert.equal((await browser.submit(RECOVERY, { code: recovery })).location, '/account')
  })

  it('gives nobody more tries than the account has, whatever factors they are for, and all are recorded [RA-0801 FACTOR-21 FACTOR-22 RA-0603 A-070]', async (test) => {
    const scene = await several(test)
    const pages = [...(await fail(scene, DOOR, 8)), ...(await fail(scene, RECOVERY, 8))]

    const statuses = pages.map(({ status }) => status)

    assert.equal(statuses.filter((status) => status === 422).length, FACTOR_LIMIT.failures)
    assert.equal(statuses.filter((status) => status === 429).length, 16 - FACTOR_LIMIT.failures)
    const refused = (await scene.world.events(scene.ada)).filter((kind) => kind.endsWith('code-refused'))
    assert.equal(refused.length, FACTOR_LIMIT.failures)
    assert.deepEqual(new Set(refused), new Set(['code-refused', 'recovery-code-refused']))
  })
})
