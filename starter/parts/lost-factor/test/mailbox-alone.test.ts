import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { MAIL_PASSWORD_SECONDS } from '../../../core/limits/limits.ts'
import { demanding } from '../../../test/demanding.ts'
import { act, missing, ofParts } from '../../../test/facts-of-parts.ts'
import { type Person, World, type WorldOptions } from '../../../test/support.ts'
import { newestLink, personOf } from '../../../test/flow/steps.ts'
import { begin, goOn } from './steps.ts'

const CHOSEN = 'another gate of two doors'
const DAY = 24 * 60 * 60
// What a part sends to somebody who proved the password.
const FORMS_OF_PARTS = Object.keys(ofParts('beside')).flatMap((route) =>
  route.startsWith('POST ') ? route.slice(5) : [],
)

interface Account {
  readonly options?: WorldOptions
  readonly make: (world: World) => Promise<Person>
}

// Each must set up a factor, and has none.
const ACCOUNTS: Readonly<Record<string, Account>> = {
  ...(missing('administration') === false && {
    'whose factors an administrator has reset': {
      make: async (world) => {
        const ada = await world.person('ada', { factor: 'enabled' })
        await act('resetFactors')(world, ada.id)
        return ada
      },
    },
  }),
  'that is forced to set up the first factor': {
    options: demanding(),
    make: (world) => world.person('ada'),
  },
}

/** What whoever has the mailbox can do: a new password. */
async function resetPassword(world: World, { email }: Person, password = CHOSEN): Promise<void> {
  const browser = world.browser()
  await browser.send('/forgot', { email })
  assert.equal((await browser.send(newestLink(world), { password })).location, '/login')
}

describe('the mailbox alone', () => {
  for (const [name, { options = {}, make }] of Object.entries(ACCOUNTS)) {
    it(`sets up no factor of an account ${name}, before the waiting time is over [MEND-04]`, async (test) => {
      const world = await World.create(test, options)
      const ada = await make(world)
      await resetPassword(world, ada)
      const browser = world.browser()

      assert.equal((await browser.password(ada, CHOSEN)).location, '/lost')
      const page = await browser.open('/lost')
      assert.match(page.html, /must have a second step and has none[^]*wait for 14 days/)
      assert.doesNotMatch(page.html, /id="lost-code"|id="lost-other"/)
      assert.equal((await browser.open('/enroll')).location, '/login')
      await begin(world, ada, CHOSEN)
      world.clock.advance(14 * DAY - 1)
      assert.equal((await goOn(world, ada, CHOSEN)).location, '/lost')

      world.clock.advance(1)
      const { browser: late, location } = await goOn(world, ada, CHOSEN)
      assert.equal(location, '/enroll')
      await late.send(newestLink(world))
      const again = await personOf(world, 'ada', await late.open('/enroll'))
      await late.submit('/enroll', { code: await world.code(again) })
      await late.open('/enroll')
      assert.equal((await late.submit('/enroll/done')).location, '/account')
      assert.equal(await late.isSignedIn(), true)
    })

    it(`waits no longer than its password counts as one by mail, for an account ${name} [MEND-04]`, async (test) => {
      const world = await World.create(test, options)
      const ada = await make(world)
      await resetPassword(world, ada)

      world.clock.advance(MAIL_PASSWORD_SECONDS)

      assert.equal((await world.browser().password(ada, CHOSEN)).location, '/enroll')
    })
  }

  it('signs in by no sequence of links, resets and enrollments [MEND-04]', async (test) => {
    const days = missing('administration') ? [] : [0, 1, 2, 3, 4]
    for (const resetOn of [undefined, ...days]) await assertOutside(test, resetOn)
  })
})

/** Does every day what the mailbox allows, while an administrator resets the factors on one of the days. */
async function assertOutside(test: TestContext, resetOn: number | undefined): Promise<void> {
  const world = await World.create(test, ofParts('settings'))
  const ada = await world.person('ada', { factor: 'enabled' })
  const thief = world.browser()
  const inside: string[] = []
  for (let day = 0; day < 13; day += 1) {
    if (day === resetOn) await act('resetFactors')(world, ada.id)
    const password = `${CHOSEN} ${day - (day % 3)}`
    if (day % 3 === 0) await resetPassword(world, ada, password)
    await thief.password(ada, password)
    const forms = ['/lost', ...FORMS_OF_PARTS, '/enroll/mail', '/lost/continue']
    // The form is on the page that has its path, or on the one before.
    for (const path of [...forms, ...linksOf(world)])
      await thief.send(path, { password: CHOSEN, name: 'Ada' })
    if (await thief.isSignedIn()) inside.push(`day ${day}: signed in`)
    if (/class="secret"/.test((await thief.open('/enroll')).html)) inside.push(`day ${day}: sets up a factor`)
    world.clock.advance(DAY)
  }
  assert.deepEqual(inside, [], `reset on ${resetOn}`)
  assert.deepEqual(world.faults, [])
}

// Not those that stop something: whoever has the mailbox wants to get in.
function linksOf(world: World): readonly string[] {
  const links = world.mailbox
    .list()
    .flatMap(({ text }) => [...text.matchAll(/https:\/\/app\.test(\/\S+)/g)].map(([, path = '']) => path))
  return [...new Set(links)].filter((path) => !/cancel|not-me|forgot/.test(path)).slice(0, 8)
}
