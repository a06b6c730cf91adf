import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { STEP_UP_SECONDS } from 'sallyport-app/step-up'
import { demanding } from '../demanding.ts'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import { formAt, ownerOf, RIGHTS, type Row, type Step, testNewIdentifiers } from './new-identifiers.ts'
import {
  ADD,
  atDoor,
  CONFIRM,
  DOOR,
  enroll,
  newestLink,
  type Owner,
  personOf,
  RECOVERY,
  signedIn,
  signUp,
  withSecretOf,
} from './steps.ts'

const CORE = new URL('../../core/', import.meta.url)

// What an entry says that gives no right by itself.
const NO_RIGHTS: readonly string[] = [
  'told_replay',
  'totp_setup',
  'totp_added',
  'confirming',
  'return_url',
  'credential_version',
  'credential_mark',
  'spent_token_forms',
  'replay',
]

/** @returns Somebody who must set up a factor, and a browser that knows nobody. */
async function mustEnroll(test: TestContext): Promise<Owner> {
  const world = await World.create(test, demanding())
  return { world, person: await world.person('ada'), browser: world.browser() }
}

async function atPassword({ browser, person }: Owner): Promise<Step> {
  return formAt(browser, '/login', { email: person.email, password: PASSWORD })
}

const STEPS: Readonly<Record<string, Row>> = {
  'the password of an account without a factor': {
    gains: ['signed in'],
    before: async (test) => {
      const world = await World.create(test)
      return atPassword({ world, person: await world.person('ada'), browser: world.browser() })
    },
  },
  'the password before a factor': {
    gains: ['password proven'],
    before: async (test) => atPassword(await ownerOf(test)),
  },
  'a code at the second door': {
    gains: ['signed in'],
    before: async (test) => {
      const { world, person } = await ownerOf(test)
      return formAt(await atDoor(world, person), DOOR, { code: await world.code(person) })
    },
  },
  'a recovery code': {
    gains: ['signed in'],
    before: async (test) => {
      const world = await World.create(test)
      const { person, codes } = await enroll(world, world.browser(), 'ada')
      return formAt(await atDoor(world, person), RECOVERY, { code: codes[0] })
    },
  },
  ...Object.fromEntries(
    Object.entries(ofParts('doors')).map(([name, { page, prove }]): [string, Row] => [
      name,
      {
        gains: ['signed in'],
        before: async (test) => {
          const { world, person, browser } = await ownerOf(test, ofParts('settings'))
          await browser.password(person)
          const fields = await prove(browser, world)
          return { browser, act: () => browser.submit(page, fields) }
        },
      },
    ]),
  ),
  'the end of signing up': {
    gains: ['sets up a factor', 'needs no link'],
    before: async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await (await formAt(browser, '/sign-up', { email: 'ada@example.test' })).act()
      return formAt(browser, newestLink(world), { name: 'Ada', password: PASSWORD })
    },
  },
  'the password of an account that must set up a factor': {
    gains: ['sets up a factor'],
    before: async (test) => atPassword(await mustEnroll(test)),
  },
  'the link in the same browser': {
    gains: ['needs no link'],
    before: async (test) => {
      const { world, person, browser } = await mustEnroll(test)
      await browser.password(person)
      return formAt(browser, newestLink(world))
    },
  },
  'the first code of a new authenticator': {
    gains: ['new factor proven'],
    before: async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      const person = await personOf(world, 'ada', await signUp(world, browser, 'ada'))
      return formAt(browser, '/enroll', { code: await world.code(person) })
    },
  },
  'the end of an enrollment': {
    gains: ['signed in'],
    before: async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await enroll(world, browser, 'ada')
      await browser.open('/enroll')
      return { browser, act: () => browser.submit('/enroll/done') }
    },
  },
  'password and code for a protected action': {
    gains: ['confirmed the password', 'confirmed a factor'],
    before: async (test) => {
      const { world, person, browser } = await signedIn(test)
      world.clock.advance(STEP_UP_SECONDS)
      await browser.open('/account/password', { follow: true })
      const fields = { return_url: '/account/password', password: PASSWORD, code: await world.code(person) }
      return { browser, act: () => browser.submit(CONFIRM, fields) }
    },
  },
  'a further authenticator': {
    gains: [],
    before: async (test) => {
      const { world, person, browser } = await signedIn(test)
      const code = await world.code(withSecretOf(person, await browser.open(ADD)))
      return { browser, act: () => browser.submit(ADD, { label: 'Phone', code }) }
    },
  },
  'another password': {
    gains: [],
    before: async (test) =>
      formAt((await signedIn(test)).browser, '/account/password', { password: 'another gate of two doors' }),
  },
}

testNewIdentifiers(STEPS)

describe('a step after which a session may do more', () => {
  it('is in the table of this test, whatever it gives [MEND-07]', () => {
    const all = ['signed in', 'password proven', 'sets up a factor', 'needs no link']
    const more = ['new factor proven', 'confirmed the password', 'confirmed a factor']
    const covered = new Set(Object.values(STEPS).flatMap(({ gains }) => gains))

    assert.deepEqual([...covered].toSorted(), [...all, ...more].toSorted())
    assert.deepEqual(
      storedKeys().filter((key) => !(key in RIGHTS) && !NO_RIGHTS.includes(key)),
      [],
      'entries of sessions of which nobody has said whether they give a right',
    )
  })

  it('leads a browser that has missed the answer to a page that says how to go on [MEND-07]', async (test) => {
    const { world, person, browser } = await mustEnroll(test)
    await browser.password(person)
    const link = newestLink(world)
    await browser.open(link)
    const missed = browser.twin()

    assert.equal((await browser.submit(link)).location, '/enroll')

    assert.equal((await missed.open(link)).status, 410)
    assert.match((await browser.open('/enroll')).html, /class="secret"/)
  })
})

// The names of constants end in `_KEY`, and they are declared where an entry of the session is written.
function storedKeys(): readonly string[] {
  return globSync('**/*.ts', { cwd: CORE }).flatMap((path) => {
    const text = readFileSync(new URL(path, CORE), 'utf8')
    return [...text.matchAll(/^(?:export )?const \w+_KEY(?:: string)? = '(\w+)'/gm)].map(
      ([, key = '']) => key,
    )
  })
}
