import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import type { Request } from '../crash/deed.ts'
import { DEEDS, DOORS_OF_PARTS, PASSWORDS } from '../crash/deeds.ts'
import { demanding } from '../demanding.ts'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, World } from '../support.ts'
import { formAt, RIGHTS, type Row, testNewIdentifiers } from './new-identifiers.ts'
import { newestLink, type Owner, ownerOf } from './steps.ts'

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
function mustEnroll(test: TestContext): Promise<Owner> {
  return ownerOf(test, { ...demanding(), factor: 'none' })
}

// What requests give that are told elsewhere.
const GAINS: Readonly<Record<string, readonly string[]>> = {
  'a password, without a second factor': ['signed in'],
  'a password, with a second factor': ['password proven'],
  'a code of the authenticator': ['signed in'],
  'a recovery code': ['signed in'],
  'the link of a sign-up': ['sets up a factor', 'needs no link'],
  'the first code of an enrollment': ['new factor proven'],
  'the end of an enrollment': ['signed in'],
  'a code at a step-up': ['confirmed the password', 'confirmed a factor'],
  'a further authenticator': [],
  'an authenticator in place of another': [],
  'the removal of an authenticator': [],
  'new recovery codes': [],
  'a change of password': [],
}

function rowOf({ prepare, act }: Request, gains: readonly string[]): Row {
  return {
    gains,
    async before(test) {
      const world = await World.create(test, ofParts('settings'))
      const { browser, facts } = await prepare(world)
      return { browser, act: () => act(browser, facts, world) }
    },
  }
}

const REQUESTS = [...PASSWORDS, ...DEEDS]
const STEPS: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    Object.entries(GAINS).map(([name, gains]) => {
      const request = REQUESTS.find((each) => each.name === name)
      assert.ok(request !== undefined, name)
      return [name, rowOf(request, gains)]
    }),
  ),
  ...Object.fromEntries(DOORS_OF_PARTS.map((request) => [request.name, rowOf(request, ['signed in'])])),
  'the password of an account that must set up a factor': {
    gains: ['sets up a factor'],
    before: async (test) => {
      const { browser, person } = await mustEnroll(test)
      return formAt(browser, '/login', { email: person.email, password: PASSWORD })
    },
  },
  'the link in the same browser': {
    gains: ['needs no link'],
    before: async (test) => {
      const { world, person, browser } = await mustEnroll(test)
      await browser.password(person)
      return formAt(browser, newestLink(world))
    },
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
