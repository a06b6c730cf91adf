import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT, RECOVERY_LIMIT } from '../../../core/limits/limits.ts'
import { UNLOCK_LINK_SECONDS, UNLOCKED_LIMIT, UNLOCKED_SECONDS } from '../unlock-links.ts'
import { type Browser, PASSWORD, type Page, type Person, World } from '../../../test/support.ts'
import {
  ADD,
  atDoor,
  CONFIRM,
  DOOR,
  enroll,
  linkIn,
  mailsOf,
  RECOVERY,
  signedIn,
} from '../../../test/flow/steps.ts'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { failuresOf } from '../../../test/failures.ts'
import { testMailLinks } from '../../../test/flow/mail-link.ts'
import { testNewIdentifiers } from '../../../test/flow/new-identifiers.ts'
import { pending } from '../../../test/identity.ts'
import { PARTS } from '../../../parts.ts'

const LINK = '/unlock/'
const LOCKED = /^A second step of your account is locked/

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

const APP: Lockable = {
  failures: AUTHENTICATOR_LIMIT.failures,
  holder: async (world) => {
    const ada = await world.person('ada', { factor: 'enabled' })
    return { ada, path: DOOR, wrong: () => world.wrongCode(ada), right: () => world.code(ada) }
  },
}

// Whatever can be locked can be unlocked.
const KINDS: Readonly<Record<string, Lockable>> = {
  totp: APP,
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
  return browser.send(path, { code })
}

/** What somebody with the password does. */
async function lock(world: World, holder: Holder, times: number = APP.failures): Promise<void> {
  for (let time = 0; time < times; time += 1)
    assert.equal((await attempt(world.browser(), holder, await holder.wrong())).status, 422)
}

/** Somebody who is locked out by another one with the password. */
async function locked(
  test: TestContext,
  { failures, holder: prepare }: Lockable = APP,
): Promise<{ readonly world: World; readonly holder: Holder; readonly ada: Person; readonly link: string }> {
  const world = await World.create(test, ofParts('settings'))
  const holder = await prepare(world)
  world.clock.advance(30)
  await lock(world, holder, failures)
  return { world, holder, ada: holder.ada, link: linkIn(world, LINK) }
}

describe('the link of a mail about a lock, for every kind that can be locked', () => {
  for (const [kind, lockable] of Object.entries(KINDS)) {
    it(`signs nobody in, and lets a right code in, in that browser only: ${kind} [RA-0802 RA-0803]`, async (test) => {
      const { world, holder, link } = await locked(test, lockable)
      assert.equal(mailsOf(world, LOCKED), 1)
      const owner = world.browser()
      assert.equal((await attempt(world.browser(), holder, await holder.wrong())).status, 429)

      assert.equal((await owner.send(link)).location, '/login')

      assert.equal(await owner.isSignedIn(), false)
      assert.equal((await owner.open(DOOR)).location, '/login')
      await owner.password(holder.ada)
      await owner.open(holder.path)
      const code = await holder.right(owner)
      await owner.open(holder.path)
      assert.equal((await attempt(world.browser(), holder, await holder.wrong())).status, 429)
      assert.equal((await owner.submit(holder.path, { code })).location, '/account')
      assert.deepEqual(await failuresOf(world.database, 'unlocked:%'), [], 'a right code is no failure')
    })

    it(`gives five tries, whose failures count for nobody else: ${kind} [RA-0802]`, async (test) => {
      const { world, holder, link } = await locked(test, lockable)
      const owner = world.browser()
      await owner.send(link)
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

describe('a browser that is unlocked', () => {
  for (const [title, seconds] of [
    ['after ten minutes', UNLOCKED_SECONDS],
    ['while the clock is set back', -600],
  ] as const)
    it(`is not so any more ${title} [RA-0802 RA-2708]`, async (test) => {
      const { world, holder, ada, link } = await locked(test)
      const browser = world.browser()
      await browser.send(link)

      world.clock.advance(seconds)

      assert.equal((await attempt(browser, holder, await world.code(ada))).status, 429)
    })

  it('is so for no other account [RA-0802]', async (test) => {
    const { world, holder, link } = await locked(test)
    const eve = await world.person('eve', { factor: 'enabled' })
    await lock(world, { ...holder, ada: eve, wrong: () => world.wrongCode(eve) })
    const browser = world.browser()
    await browser.send(link)

    await browser.password(eve)

    assert.equal((await browser.code(await world.code(eve))).status, 429)
  })

  it('has no more tries when 50 come at once [RA-0802]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const identity = await world.identity.users.authenticationIdentity(ada.id)
    assert.ok(identity !== null)
    const unlock = UNLOCKED_LIMIT.of('one')

    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        world.identity.factors.verifyAndConsume(
          identity.principal,
          'no code',
          pending(`challenge ${index}`, { unlock }),
        ),
      ),
    )

    const checked = tries.filter(({ status }) => status === 'fulfilled')
    assert.equal(checked.length, UNLOCKED_LIMIT.failures)
    assert.equal((await world.identity.factors.list(ada.id))[0]?.lockedSeconds, 0)
  })

  it('may be one that is signed in, and was locked at a step-up [RA-0803 RA-1402]', async (test) => {
    const { world, person, browser } = await signedIn(test)
    world.clock.advance(300)
    const asked = `${CONFIRM}?return_url=${ADD}`
    await browser.open(asked)
    const prove = (code: string): Promise<Page> =>
      browser.submit(CONFIRM, { return_url: ADD, password: PASSWORD, code })
    for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1)
      assert.equal((await prove(await world.wrongCode(person))).status, 422)
    const code = await world.code(person)
    assert.equal((await prove(code)).status, 429)
    assert.equal(mailsOf(world, LOCKED), 1)

    const page = await browser.send(linkIn(world, LINK))

    assert.equal(page.location, '/account/security')
    await browser.open(asked)
    assert.equal((await prove(code)).location, ADD)
    assert.equal((await world.events(person)).filter((kind) => kind === 'code-locked').length, 1)
  })
})

describe('the link of a mail about a lock', () => {
  for (const change of [{ credential_version: 9 }, { state: 'disabled' as const }])
    it(`ends with another ${Object.keys(change).join()} of its account [RA-0802]`, async (test) => {
      const { world, link } = await locked(test)
      await world.database.updateTable('account').set(change).execute()
      const browser = world.browser()
      await browser.open('/login')

      assert.equal((await browser.submit(link)).status, 410)
    })
})

testMailLinks({
  'the link that unlocks a browser': {
    clauses: '[RA-0802 RA-0803 RA-2502]',
    make: async (world) => {
      await lock(world, await APP.holder(world))
      return linkIn(world, LINK)
    },
    event: 'factor-unlocked',
    table: 'factor_unlock',
    seconds: UNLOCK_LINK_SECONDS,
  },
})

testNewIdentifiers({
  'the link that unlocks a browser': {
    gains: ['unlocked'],
    before: async (test) => {
      const { world, ada, link } = await locked(test)
      const browser = await atDoor(world, ada)
      await browser.open(link)
      return { browser, act: () => browser.submit(link) }
    },
  },
})
