import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_SETUPS } from '../../core/factors/factor-setups.ts'
import { ENROLLMENT_LIMIT } from '../../core/limits/limits.ts'
import { demanding } from '../demanding.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { codesOf, newestLink } from './newcomer.ts'
import { ADD, factorIds, withSecretOf } from './security-steps.ts'

const ENROLL = '/enroll'
const CHANGED =
  /[Yy]our password or second step changed|[Tt]his page expired|page (?:you used )?was out of date/
const AGAIN = /the page you used was out of date/
const WRONG = /code is wrong/

/** One of two browsers that set up an authenticator for the same account. */
interface Side {
  readonly browser: Browser
  readonly path: string
  /** The account with the secret that this browser was shown. */
  readonly shown: Person
}

async function addition(world: World, person: Person): Promise<Side> {
  const browser = world.browser()
  await browser.signIn(person)
  return { browser, path: ADD, shown: withSecretOf(person, await browser.open(ADD)) }
}

async function enrollment(world: World, person: Person): Promise<Side> {
  const browser = world.browser()
  await browser.password(person)
  const link = newestLink(world)
  await browser.open(link)
  await browser.submit(link)
  return { browser, path: ENROLL, shown: withSecretOf(person, await browser.open(ENROLL)) }
}

/** Sends the right code, and returns every page up to the one that a person sees. */
async function prove(world: World, { browser, path, shown }: Side): Promise<readonly Page[]> {
  const fields = path === ADD ? { label: 'Phone' } : {}
  const pages = [await browser.submit(path, { ...fields, code: await world.code(shown) })]
  for (let page = pages.at(-1); page?.location; page = pages.at(-1))
    pages.push(await browser.open(page.location))
  return pages
}

/** Both reload as the round says, and prove: one after the other, or at once. */
async function play(
  world: World,
  [one, two]: readonly [Side, Side],
  round: number,
): Promise<readonly (readonly Page[])[]> {
  for (const [bit, side] of [one, two, one].entries())
    if ((round >> bit) % 2 === 1) await side.browser.open(side.path)
  const [first, second] = round % 3 === 0 ? [two, one] : [one, two]
  if (round % 2 === 0) return Promise.all([prove(world, first), prove(world, second)])
  return [await prove(world, first), await prove(world, second)]
}

/** One factor counts, its browser was shown the codes, and the other was told. */
async function assertOneWon(world: World, person: Person, ways: readonly (readonly Page[])[]): Promise<void> {
  assert.equal((await factorIds(world, person)).length, 1)
  for (const { html, status } of ways.flat()) {
    assert.doesNotMatch(html, WRONG)
    assert.notEqual(status, 422)
  }
  const ends = ways.map((pages) => pages.at(-1)?.html ?? '')
  const winners = ways.filter(([page]) => page !== undefined && codesOf(page).length === 10)
  assert.equal(winners.length, 1)
  assert.equal(ends.filter((html) => CHANGED.test(html)).length, 1)
  assert.deepEqual(world.faults, [])
}

describe('two browsers that set up an authenticator for one account at once', () => {
  for (const [name, rounds, begin] of [
    ['signed in', 100, addition],
    ['because a rule asks for it', 24, enrollment],
  ] as const)
    it(`one is enabled and the other is told so, ${rounds} times, ${name}; no right code is called wrong [RA-1104 RA-2502]`, async (test) => {
      const must = begin === enrollment ? demanding({ kinds: ['totp'] }) : {}
      const world = await World.create(test, must)
      for (let round = 0; round < rounds; round += 1) {
        const person = await world.person(`ada-${round}`)
        const sides = [await begin(world, person), await begin(world, person)] as const

        const ways = await play(world, sides, round)

        await assertOneWon(world, person, ways)
      }
    })

  it('a set-up that made way for others says so, as often as it is tried, and counts no attempt [RA-1104]', async (test) => {
    const world = await World.create(test)
    const person = await world.person('ada')
    const mine = await addition(world, person)
    for (let others = 0; others < MAX_SETUPS; others += 1) {
      world.clock.advance(1)
      await addition(world, person)
    }

    const ways = [await prove(world, mine)]
    for (let times = 0; times < ENROLLMENT_LIMIT.failures; times += 1) {
      await world.database.deleteFrom('factor').where('state', '=', 'unverified').execute()
      ways.push(await prove(world, mine))
    }

    for (const pages of ways) {
      assert.equal(pages[0]?.status, 303)
      assert.match(pages.at(-1)?.html ?? '', AGAIN)
      assert.doesNotMatch(pages.at(-1)?.html ?? '', WRONG)
    }
    const shown = withSecretOf(person, await mine.browser.open(ADD))
    const [page] = await prove(world, { ...mine, shown })
    assert.equal(page === undefined ? 0 : codesOf(page).length, 10)
  })
})
