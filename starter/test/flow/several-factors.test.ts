import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PENDING_LOGIN_KEY } from '../../core/challenges/pending-login.ts'
import { AUTHENTICATOR_LIMIT, FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { failuresOf } from '../failures.ts'
import type { Browser, Page, Person, World } from '../support.ts'
import { atDoor, DOOR, factorIds, RECOVERY, enrolled } from './steps.ts'

const LOCKED = /locked until\s*<time datetime="([^"]+)"/

/** Somebody with two authenticators and recovery codes, at the second door. */
interface Several {
  readonly world: World
  /** With the secret of the phone. */
  readonly ada: Person
  readonly tablet: Person
  readonly codes: readonly string[]
  readonly browser: Browser
}

async function several(test: TestContext): Promise<Several> {
  const { world, person: ada, codes } = await enrolled(test)
  const { id, secret } = await world.identity.factors.add(ada.id, 'Tablet', world.clock)
  await world.identity.factors.enableUnproven(id, world.clock)
  world.clock.advance(30)
  return { world, ada, tablet: { ...ada, secret }, codes, browser: await atDoor(world, ada) }
}

// A code that no authenticator shows now.
async function wrongCode({ world, ada, tablet }: Several): Promise<string> {
  const near = [ada, tablet].flatMap((person) => [-1, 0, 1].map((step) => world.code(person, step)))
  const taken = new Set(await Promise.all(near))
  return ['000000', '111111', '222222'].find((code) => !taken.has(code)) ?? ''
}

/** Types wrong codes on a page, each in a login of its own. */
async function fail(scene: Several, path: string, times: number): Promise<readonly Page[]> {
  const code = path === RECOVERY ? '0000-0000-0000' : await wrongCode(scene)
  const pages: Page[] = []
  for (let time = 0; time < times; time += 1) {
    const browser = await atDoor(scene.world, scene.ada, path)
    pages.push(await browser.submit(path, { code }))
  }
  return pages
}

describe('the second door of an account with several factors', () => {
  it('takes a code of any authenticator, also of a step that another one has used, and names all of them [RA-0301 FACTOR-07]', async (test) => {
    const { world, ada, tablet, browser } = await several(test)

    const { html } = await browser.open(DOOR)
    const page = await browser.submit(DOOR, { code: await world.code(tablet) })

    assert.match(html, /<strong>[^<]*Authenticator app[^<]*Tablet[^<]*<\/strong>/)
    assert.equal(page.location, '/account')
    const other = await atDoor(world, ada)
    assert.equal((await other.submit(DOOR, { code: await world.code(ada) })).location, '/account')
  })

  it('links the pages of the others, which change nothing of _2fa [RA-0302 RA-0303]', async (test) => {
    const { world, ada, browser, codes } = await several(test)
    const written = { identifier: ada.id, expires_at: world.clock.timestamp() + 300 }
    const before = await browser.session()
    assert.deepEqual(before[PENDING_LOGIN_KEY], written)

    const { html } = await browser.open(DOOR)
    const back = await browser.open(RECOVERY)

    assert.match(html, new RegExp(`href="${RECOVERY}"`))
    assert.match(back.html, /href="\/login\/2fa\?with=code"/)
    assert.equal((await browser.open(`${DOOR}?with=code`)).status, 200)
    assert.deepEqual(await browser.session(), before)
    assert.equal((await browser.send(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
  })

  it('takes no code of somebody else, and none of what is left where the authenticators were removed [RA-0301 RA-2708 FACTOR-34]', async (test) => {
    const { world, ada, browser } = await several(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    assert.equal((await browser.code(await world.code(bob))).status, 422)
    for (const id of await factorIds(world, ada))
      await world.database.deleteFrom('factor').where('id', '=', id).execute()
    const before = await failuresOf(world.database)

    const page = await browser.submit(DOOR, { code: await world.code(ada) })

    assert.deepEqual([page.status, page.location], [303, DOOR])
    assert.deepEqual(await failuresOf(world.database), before, 'no attempt')
    assert.equal('_auth' in (await browser.session()), false)
  })
})

describe('the lock of a factor', () => {
  it('of the authenticators leaves the recovery codes, and the other way around [RA-0801]', async (test) => {
    const scene = await several(test)
    const { world, ada, tablet, codes } = scene
    const enter = async (path: string, code: string): Promise<Page> => {
      const browser = await atDoor(world, ada, path)
      return browser.submit(path, { code })
    }
    await fail(scene, RECOVERY, RECOVERY_LIMIT.failures)
    assert.equal((await enter(RECOVERY, codes[0] ?? '')).status, 429)
    assert.equal((await enter(DOOR, await world.code(tablet))).location, '/account')
    world.clock.advance(60 * 60)

    await fail(scene, DOOR, AUTHENTICATOR_LIMIT.failures)
    assert.equal((await enter(DOOR, await world.code(ada))).status, 429)
    assert.equal((await enter(RECOVERY, codes[0] ?? '')).location, '/account')
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

  it('is told with its deadline, and the other pages stay open [RA-2804 RA-0301 RA-0803]', async (test) => {
    const scene = await several(test)
    const { world, ada } = scene
    const now = world.clock.timestamp()

    const page = (await fail(scene, DOOR, AUTHENTICATOR_LIMIT.failures)).at(-1)

    assert.equal(page?.status, 422)
    assert.match(page?.html ?? '', /Too many wrong codes\. Wait 15 minutes/)
    const browser = await atDoor(world, ada)
    const locked = await browser.submit(DOOR, { code: await world.code(ada) })
    assert.equal(locked.status, 429)
    assert.ok(Number(locked.headers.get('retry-after')) > 0)
    const { html } = await browser.open(RECOVERY)
    assert.doesNotMatch(html, /Too many wrong codes/)
    assert.equal(Date.parse(LOCKED.exec(html)?.[1] ?? '') / 1000, now + AUTHENTICATOR_LIMIT.windowSeconds)
    const told = (await world.events(ada)).filter((kind) => kind === 'code-locked')
    assert.equal(told.length, 1)
  })
})
