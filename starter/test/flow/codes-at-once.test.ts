import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { atPasskeyDoor, PASSKEY_DOOR, withPasskey } from './passkey-steps.ts'

interface RightCode {
  readonly person: Person
  readonly browser: Browser
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

async function atDoor(world: World, person: Person, path: string): Promise<Browser> {
  const browser = world.browser()
  await browser.password(person)
  await browser.open(path)
  return browser
}

const KINDS: Readonly<Record<string, (world: World) => Promise<RightCode>>> = {
  async 'the authenticator'(world) {
    const person = await world.person('ada', { factor: 'enabled' })
    const path = '/login/2fa'
    return {
      person,
      path,
      browser: await atDoor(world, person, path),
      fields: { code: await world.code(person) },
    }
  },
  async 'a mail'(world) {
    const person = await world.person('ada', { factor: 'enabled' })
    const path = '/mail-code'
    const browser = await atDoor(world, person, path)
    await browser.submit('/mail-code/send')
    await browser.open(path)
    const [, code = ''] = /\n(\d{4} \d{4})\n/.exec(world.mailbox.list()[0]?.text ?? '') ?? []
    return { person, path, browser, fields: { code } }
  },
  async 'the recovery codes'(world) {
    const { person, codes } = await enroll(world, world.browser(), 'ada')
    const path = '/login/2fa/recovery'
    return { person, path, browser: await atDoor(world, person, path), fields: { code: codes[0] ?? '' } }
  },
  async 'a passkey'(world) {
    const person = await world.person('ada', { factor: 'enabled' })
    const key = await withPasskey(world, person)
    const { browser, page } = await atPasskeyDoor(world, person)
    return { person, path: PASSKEY_DOOR, browser, fields: { response: key.respond(page.html) } }
  },
}

describe('one right code that is sent many times at once', () => {
  for (const [kind, prepare] of Object.entries(KINDS))
    for (const times of [5, 20])
      it(`RA-2702, RA-0008: signs in once, and no wrong code is recorded or told: ${times} times, of ${kind}`, async (test) => {
        const world = await World.create(test, { mailCodes: true })
        const { person, browser, path, fields } = await prepare(world)
        const known = (await world.events(person)).length
        const tabs = Array.from({ length: times }, () => browser.twin())
        // Every other one is a program, which reads the code of its refusal.
        const options = (index: number) =>
          index % 2 === 0 ? {} : { headers: { accept: 'application/json' } }

        const pages = await Promise.all(tabs.map((tab, index) => tab.submit(path, fields, options(index))))

        assert.equal(pages.filter(({ location }) => location === '/account').length, 1)
        const events = (await world.events(person)).slice(known)
        assert.equal(events.filter((each) => each === 'logged-in').length, 1)
        assert.deepEqual(
          events.filter((each) => each.endsWith('-refused') || each === 'challenge-spent'),
          [],
        )
        for (const { html } of pages) assert.doesNotMatch(html, /challenge_spent|Too many/)
        assert.deepEqual(world.faults, [])
      })
})
