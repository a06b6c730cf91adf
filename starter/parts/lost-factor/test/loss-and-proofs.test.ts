import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { RECOVERY_WAIT_SECONDS } from '../factor-recovery.ts'
import { act, missing, ofParts } from '../../../test/facts-of-parts.ts'
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

/** Somebody says that the factor is lost: a recovery waits, and so does a reset. */
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
  await ofParts('acts').resetFactors?.(world, ada.id)
}

function create(test: TestContext): Promise<World> {
  return World.create(test, { ...ofParts('settings'), ...ofParts('askingFirst') })
}

async function isRecoveryLeft(world: World): Promise<boolean> {
  const rows = await world.database.selectFrom('factor_recovery').select('outcome').execute()
  assert.equal(rows.length, 1)
  return rows[0]?.outcome === null
}

describe('a sign-in while a factor is said to be lost', () => {
  for (const [kind, { ends, owner }] of Object.entries(PROOFS))
    it(`with ${kind} ${ends ? 'ends the recovery and the reset that wait' : 'stops neither the recovery nor the reset, and the recovery ends in a new factor'} [RA-2101 RA-2102 RA-2201 FACTOR-34]`, async (test) => {
      const world = await create(test)
      const { ada, browser, signIn } = await owner(world)
      world.clock.advance(30)
      await lose(world, ada)
      const told = world.mailbox.list().length

      assert.equal(await signIn(), '/account')

      assert.equal(await isRecoveryLeft(world), !ends)
      if (!missing('administration')) assert.deepEqual(await act('askedResets')(world), ends ? [] : [ada.id])
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

  it(
    'with the password alone, of an account without a factor, ends no reset [RA-2101 RA-2201]',
    { skip: missing('administration') },
    async (test) => {
      const world = await create(test)
      const bob = await world.person('bob')
      await act('resetFactors')(world, bob.id)

      assert.equal((await world.browser().password(bob)).location, '/account')

      assert.deepEqual(await act('askedResets')(world), [bob.id])
    },
  )
})
