import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { generate } from 'otplib/functional'
import type { FactorKind } from '../../../identity/factors/factor-kinds.ts'
import { AUTHENTICATOR_LIMIT, RECOVERY_LIMIT, UNLOCKED_LIMIT } from '../../../identity/limits/limits.ts'
import { MAIL_CODE_LIMIT } from '../../mail-codes/limits.ts'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { enroll } from '../../../test/flow/newcomer.ts'
import { withSecretOf } from '../../../test/flow/security-steps.ts'

const DOOR = '/login/2fa'
const RECOVERY = '/login/2fa/recovery'
const MAIL = '/mail-code'
const SEND = '/mail-code/send'
const LOCKED = 'A second step of your account is locked'
const CODE = 'Your code for signing in'

/** Somebody who holds a factor, and how codes of its kind are typed. */
interface Holder {
  readonly ada: Person
  readonly path: string
  readonly wrong: () => Promise<string>
  /** In a browser in which the password was proven. */
  readonly right: (browser: Browser) => Promise<string>
}

// Complete: whatever can be locked can be unlocked, and only a passkey cannot be locked.
const KINDS: Readonly<
  Record<
    Exclude<FactorKind, 'passkey'>,
    { readonly failures: number; readonly holder: (world: World) => Promise<Holder> }
  >
> = {
  totp: {
    failures: AUTHENTICATOR_LIMIT.failures,
    holder: async (world) => {
      const ada = await world.person('ada', { factor: 'enabled' })
      return { ada, path: DOOR, wrong: () => world.wrongCode(ada), right: () => world.code(ada) }
    },
  },
  hotp: {
    failures: AUTHENTICATOR_LIMIT.failures,
    holder: async (world) => {
      const [plain, browser] = [await world.person('ada'), world.browser()]
      await browser.signIn(plain)
      const add = '/account/security/add-counter'
      const ada = withSecretOf(plain, await browser.open(add))
      const press = (counter: number): Promise<string> =>
        generate({ strategy: 'hotp', secret: ada.secret?.reveal() ?? '', counter })
      await browser.submit(add, { label: 'Token', code: await press(0) })
      // The code that was used already.
      return { ada, path: DOOR, wrong: () => press(0), right: () => press(1) }
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
  mail: {
    failures: MAIL_CODE_LIMIT.failures,
    holder: async (world) => {
      const ada = await world.person('ada', { factor: 'enabled' })
      const right = async (browser: Browser): Promise<string> => {
        await browser.open(MAIL)
        assert.equal((await browser.submit(SEND)).location, MAIL)
        const code = world.mailbox.list().map(({ text }) => /\n(\d{4} \d{4})\n/.exec(text)?.[1])
        return code.find(Boolean) ?? ''
      }
      return { ada, path: MAIL, wrong: () => Promise.resolve('0000 0000'), right }
    },
  },
}

const ALL = Object.keys(KINDS) as readonly (keyof typeof KINDS)[]

async function attempt(browser: Browser, { ada, path }: Holder, code: string): Promise<Page> {
  await browser.password(ada)
  await browser.open(path)
  return browser.submit(path, { code })
}

/** Somebody who is locked out by another one with the password, in an installation with codes by mail. */
async function locked(
  test: TestContext,
  kind: keyof typeof KINDS,
): Promise<{ readonly world: World; readonly holder: Holder }> {
  const world = await World.create(test, { mailCodes: true })
  const holder = await KINDS[kind].holder(world)
  world.clock.advance(30)
  for (let times = 0; times < KINDS[kind].failures; times += 1)
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
  for (const kind of ALL) {
    it(`lets a right code in, in that browser only: ${kind} [RA-0802 RA-0803]`, async (test) => {
      const { world, holder } = await locked(test, kind)
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
      const counted = await world.database.selectFrom('attempt').select('subject').execute()
      assert.deepEqual(
        counted.filter(({ subject }) => subject.startsWith('unlocked:')),
        [],
        'a right code is no failure',
      )
    })

    it(`gives five tries, whose failures count for nobody else: ${kind} [RA-0802]`, async (test) => {
      const { world, holder } = await locked(test, kind)
      const owner = world.browser()
      await unlock(world, owner)
      const failures = world.database
        .selectFrom('attempt')
        .select('subject')
        .where('subject', 'not like', 'right-password:%')
      const before = await failures.execute()

      const statuses: number[] = []
      for (let times = 0; times < UNLOCKED_LIMIT.failures + 1; times += 1)
        statuses.push((await attempt(owner, holder, await holder.wrong())).status)

      assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
      const after = await failures.execute()
      const added = after.slice(before.length).map(({ subject }) => subject.split(':')[0])
      assert.deepEqual(added, Array<string>(UNLOCKED_LIMIT.failures).fill('unlocked'))
      assert.equal(count(world, 'A browser could not be unlocked for your account'), 1)
    })
  }
})

describe('a lock of codes by mail', () => {
  it('sends no code while none is accepted, for pages and for programs, and counts no mail [RA-0701 RA-0802]', async (test) => {
    const { world, holder } = await locked(test, 'mail')
    const browser = world.browser()
    await browser.password(holder.ada)

    const shown = await browser.open(MAIL)
    const refused = await browser.submit(SEND)
    const answer = await browser.submit(SEND, {}, { headers: { accept: 'application/json' } })

    assert.doesNotMatch(shown.html, /action="\/mail-code\/send"/)
    assert.match(shown.html, /Too many wrong codes\.[^]*We have sent you a mail/)
    assert.deepEqual([refused.status, answer.status], [429, 429])
    assert.match(refused.html, /Too many wrong codes/)
    assert.notEqual(answer.headers.get('retry-after'), null)
    assert.equal(count(world, CODE), 0)
    const subjects = await world.database.selectFrom('attempt').select('subject').execute()
    assert.ok(subjects.every(({ subject }) => !subject.startsWith('mail-code-send')))
  })

  it('is over with its time, and codes are sent again [RA-0701]', async (test) => {
    const { world, holder } = await locked(test, 'mail')
    world.clock.advance(MAIL_CODE_LIMIT.windowSeconds)
    const browser = world.browser()
    await browser.password(holder.ada)

    const code = await holder.right(browser)
    await browser.open(MAIL)

    assert.equal((await browser.submit(MAIL, { code })).location, '/account')
  })
})
