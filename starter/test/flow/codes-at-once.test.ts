import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { failuresOf } from '../failures.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { atDoor, DOOR, enroll, RECOVERY } from './steps.ts'

interface RightCode {
  readonly person: Person
  readonly browser: Browser
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

const KINDS: Readonly<Record<string, (world: World) => Promise<RightCode>>> = {
  async 'the authenticator'(world) {
    const person = await world.person('ada', { factor: 'enabled' })
    const path = DOOR
    return {
      person,
      path,
      browser: await atDoor(world, person, path),
      fields: { code: await world.code(person) },
    }
  },
  async 'the recovery codes'(world) {
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    const path = RECOVERY
    return { person, path, browser: await atDoor(world, person, path), fields: { code: codes[0] ?? '' } }
  },
  ...Object.fromEntries(
    Object.entries(ofParts('doors')).map(([name, { page, prove }]) => [
      name,
      async (world: World): Promise<RightCode> => {
        const person = await world.person('ada', { factor: 'enabled' })
        const browser = world.browser()
        await browser.password(person)
        return { person, path: page, browser, fields: await prove(browser, world) }
      },
    ]),
  ),
}

describe('one right code that is sent many times at once', () => {
  for (const [kind, prepare] of Object.entries(KINDS))
    it(`signs in once, and no wrong code is recorded or told: ${kind} [RA-2702 RA-0008 RA-2801 FACTOR-17]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const { person, browser, path, fields } = await prepare(world)
      const known = (await world.events(person)).length
      const tabs = Array.from({ length: 20 }, () => browser.twin())
      // Every other one is a program, which reads the code of its refusal.
      const options = (index: number) => (index % 2 === 0 ? {} : { headers: { accept: 'application/json' } })

      const pages = await Promise.all(tabs.map((tab, index) => tab.submit(path, fields, options(index))))

      const isIn = ({ location, html }: Page): boolean =>
        location === '/account' || html === '{"location":"/account"}'
      assert.equal(pages.filter(isIn).length, 1)
      const shown = await tabs[pages.findIndex(isIn)]?.open('/account')
      assert.equal(shown?.status, 200)
      assert.doesNotMatch(shown.html, /role="status"><p>(?!You signed in with a recovery code)/)
      const events = (await world.events(person)).slice(known)
      assert.equal(events.filter((each) => each === 'logged-in').length, 1)
      assert.deepEqual(
        events.filter((each) => each.endsWith('-refused') || each === 'challenge-spent'),
        [],
      )
      for (const { html } of pages) assert.doesNotMatch(html, /challenge_spent|Too many/)
      assert.deepEqual(await failuresOf(world.database, 'factor:%'), [])
      assert.deepEqual(world.faults, [])
    })
})
