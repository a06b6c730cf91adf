import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { newestLink } from './newcomer.ts'
import { RIGHTS, testNewIdentifiers } from './new-identifiers.ts'
import { mustEnroll, STEPS } from './rights-steps.ts'

const STARTER = new URL('../../', import.meta.url)

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
  const folder = new URL('core/', STARTER)
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  return sources.flatMap((path) => {
    const text = readFileSync(new URL(path, folder), 'utf8')
    return [...text.matchAll(/^(?:export )?const \w+_KEY(?:: string)? = '(\w+)'/gm)].map(
      ([, key = '']) => key,
    )
  })
}
