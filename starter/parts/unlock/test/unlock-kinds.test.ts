import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, RECOVERY_LIMIT } from '../../../core/limits/limits.ts'
import { UNLOCKED_LIMIT } from '../unlock-links.ts'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { enroll } from '../../../test/flow/steps.ts'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { PARTS } from '../../../parts.ts'
import { failuresOf } from '../../../test/failures.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'
const LOCKED = 'A second step of your account is locked'

/** Somebody who holds a factor, and how codes of its kind are typed. */
interface Holder {
  readonly ada: Person
  readonly path: string
  readonly wrong: () => Promise<string>
  /** In a browser in which the password was proven. */
  readonly right: (browser: Browser) => Promise<string>
}

interface Lockable {
  readonly failures: number
  readonly holder: (world: World) => Promise<Holder>
}

const LIMITS = PARTS.flatMap(({ factorKinds = [] }) =>
  // Whatever has codes of six digits is locked as an app is.
  factorKinds.flatMap(({ kind, limit, codes }) =>
    limit === undefined || codes !== undefined ? [] : [[kind, limit('', '').limit] as const],
  ),
)
const DOORS = Object.values(ofParts('doors'))

// Whatever can be locked can be unlocked.
const KINDS: Readonly<Record<string, Lockable>> = {
  totp: {
    failures: AUTHENTICATOR_LIMIT.failures,
    holder: async (world) => {
      const ada = await world.person('ada', { factor: 'enabled' })
      return { ada, path: DOOR, wrong: () => world.wrongCode(ada), right: () => world.code(ada) }
    },
  },
  recovery: {
    failures: RECOVERY_LIMIT.failures,
    holder: async (world) => {
      const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
      const wrong = (): Promise<string> => Promise.resolve('0000-0000-0000')
      return { ada, path: RECOVERY, wrong, right: () => Promise.resolve(codes[0] ?? '') }
    },
  },
  ...Object.fromEntries(
    LIMITS.map(([kind, { failures }]) => {
      const door = DOORS.find((each) => each.kind === kind)
      assert.ok(door, `${kind} can be locked, and its facts say how it is proven`)
      const holder = async (world: World): Promise<Holder> => ({
        ada: await world.person('ada', { factor: 'enabled' }),
        path: door.page,
        wrong: () => Promise.resolve(door.wrong['code'] ?? ''),
        right: async (browser) => (await door.prove(browser, world))['code'] ?? '',
      })
      return [kind, { failures, holder }]
    }),
  ),
}

async function attempt(browser: Browser, { ada, path }: Holder, code: string): Promise<Page> {
  await browser.password(ada)
  await browser.open(path)
  return browser.submit(path, { code })
}

/** Somebody who is locked out by another one with the password. */
async function locked(
  test: TestContext,
  { failures, holder: prepare }: Lockable,
): Promise<{ readonly world: World; readonly holder: Holder }> {
  const world = await World.create(test, ofParts('settings'))
  const holder = await prepare(world)
  world.clock.advance(30)
  for (let times = 0; times < failures; times += 1)
    assert.equal((await attempt(world.browser(), holder, await holder.wrong())).status, 422)
  return { world, holder }
}

function count(world: World, subject: string): number {
  return world.mailbox.list().filter((mail) => mail.subject === subject).length
}

async function unlock(world: World, browser: Browser): Promise<Page> {
  const links = world.mailbox
    .list()
    .map(({ text }) => /https:\/\/app\.test(\/unlock\/[\w-]{43})/.exec(text)?.[1])
  const link = links.find(Boolean) ?? ''
  await browser.open(link)
  return browser.submit(link)
}

describe('the link of a mail about a lock, for every kind that can be locked', () => {
  for (const [kind, lockable] of Object.entries(KINDS)) {
    it(`lets a right code in, in that browser only: ${kind} [RA-0802 RA-0803]`, async (test) => {
      const { world, holder } = await locked(test, lockable)
      assert.equal(count(world, LOCKED), 1)
      const [owner, other] = [world.browser(), world.browser()]
      assert.equal((await attempt(other, holder, await holder.wrong())).status, 429)

      assert.equal((await unlock(world, owner)).location, '/login')
      await owner.password(holder.ada)
      await owner.open(holder.path)
      const code = await holder.right(owner)
      await owner.open(holder.path)
      assert.equal((await attempt(world.browser(), holder, await holder.wrong())).status, 429)
      assert.equal((await owner.submit(holder.path, { code })).location, '/account')

      assert.ok((await world.events(holder.ada)).includes('factor-unlocked'))
      assert.deepEqual(await failuresOf(world.database, 'unlocked:%'), [], 'a right code is no failure')
    })

    it(`gives five tries, whose failures count for nobody else: ${kind} [RA-0802]`, async (test) => {
      const { world, holder } = await locked(test, lockable)
      const owner = world.browser()
      await unlock(world, owner)
      const before = await failuresOf(world.database)

      const statuses: number[] = []
      for (let times = 0; times < UNLOCKED_LIMIT.failures + 1; times += 1)
        statuses.push((await attempt(owner, holder, await holder.wrong())).status)

      assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
      const after = await failuresOf(world.database)
      const added = after.filter((subject) => subject.startsWith('unlocked:'))
      assert.deepEqual([added.length, after.length], [UNLOCKED_LIMIT.failures, before.length + added.length])
    })
  }
})
