import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { RECOVERY_WAIT_SECONDS } from '../factor-recovery.ts'
import { ofParts } from '../../../test/facts-of-parts.ts'
import { PARTS } from '../../../parts.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'
import { enroll } from '../../../test/flow/steps.ts'

const RECOVERY_CODE = '/login/2fa/recovery'

/** An account, and how its owner signs in later. */
interface Owner {
  readonly ada: Person
  readonly browser: Browser
  readonly signIn: () => Promise<string | null>
}

const KINDS_OF_PARTS = PARTS.flatMap(({ factorKinds = [] }) => factorKinds)

const PROOFS: Readonly<
  Record<string, { readonly ends: boolean; readonly owner: (world: World) => Promise<Owner> }>
> = {
  totp: {
    ends: true,
    owner: async (world) => {
      const [ada, browser] = [await world.person('ada', { factor: 'enabled' }), world.browser()]
      return { ada, browser, signIn: async () => (await browser.signIn(ada)).location }
    },
  },
  recovery: {
    ends: true,
    owner: async (world) => {
      const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
      const browser = world.browser()
      const signIn = async (): Promise<string | null> => {
        await browser.password(ada)
        await browser.open(RECOVERY_CODE)
        return (await browser.submit(RECOVERY_CODE, { code: codes[0] ?? '' })).location
      }
      return { ada, browser, signIn }
    },
  },
  ...Object.fromEntries(
    Object.values(ofParts('doors')).map(({ kind, page, prove }) => [
      kind,
      {
        ends: KINDS_OF_PARTS.some((each) => each.kind === kind && each.isHeld),
        owner: async (world: World): Promise<Owner> => {
          const [ada, browser] = [await world.person('ada', { factor: 'enabled' }), world.browser()]
          const signIn = async (): Promise<string | null> => {
            await browser.password(ada)
            return (await browser.submit(page, await prove(browser, world))).location
          }
          return { ada, browser, signIn }
        },
      },
    ]),
  ),
}

/** Somebody says that the factor is lost: a recovery waits. */
async function lose(world: World, ada: Person): Promise<void> {
  const browser = world.browser()
  await browser.password(ada)
  await browser.open('/lost')
  await browser.submit('/lost')
  const links = world.mailbox
    .list()
    .map(({ text }) => /https:\/\/app\.test(\/lost\/confirm\/\S+)/.exec(text)?.[1])
  const link = links.find(Boolean) ?? ''
  await browser.open(link)
  assert.equal((await browser.submit(link)).status, 200)
}

function create(test: TestContext): Promise<World> {
  return World.create(test, ofParts('settings'))
}

async function isRecoveryLeft(world: World): Promise<boolean> {
  const rows = await world.database.selectFrom('factor_recovery').select('outcome').execute()
  assert.equal(rows.length, 1)
  return rows[0]?.outcome === null
}

describe('a sign-in while a factor is said to be lost', () => {
  for (const [kind, { ends, owner }] of Object.entries(PROOFS))
    it(`with ${kind} ${ends ? 'ends the recovery that waits' : 'does not stop the recovery, which ends in a new factor'} [RA-2101 RA-2102 FACTOR-34]`, async (test) => {
      const world = await create(test)
      const { ada, browser, signIn } = await owner(world)
      world.clock.advance(30)
      await lose(world, ada)
      const told = world.mailbox.list().length

      assert.equal(await signIn(), '/account')

      assert.equal(await isRecoveryLeft(world), !ends)
      const page = await browser.open('/account')
      assert.equal(/A recovery of your second step was under way/.test(page.html), ends)
      assert.equal(/action="\/lost\/stop"/.test(page.html), !ends)
      const subjects = world.mailbox.list().slice(0, world.mailbox.list().length - told)
      assert.equal(
        subjects.some(({ subject }) => /recovery of your second step was stopped/.test(subject)),
        ends,
      )
      world.clock.advance(RECOVERY_WAIT_SECONDS)
      const later = world.browser()
      await later.password(ada)
      await later.open('/lost')
      const next = await later.submit('/lost/continue')
      assert.equal(next.location, ends ? '/lost' : '/enroll')
    })
})
