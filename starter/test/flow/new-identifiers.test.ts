import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Browser } from '../support.ts'
import { newestLink } from './newcomer.ts'
import { mustEnroll, STEPS } from './rights-steps.ts'

const STARTER = new URL('../../', import.meta.url)

// What an entry of a session lets it do. Proofs count with their time: a newer one is worth more.
const RIGHTS: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => readonly string[]>> = {
  _auth: () => ['signed in'],
  _2fa: () => ['password proven'],
  pending_passkey: () => ['passkey proven'],
  enrollment: ({ link, is_proven: isProven }) => [
    'sets up a factor',
    ...(link === null ? ['needs no link'] : []),
    ...(isProven === true ? ['new factor proven'] : []),
  ],
  unlocked: () => ['unlocked'],
  step_up: ({ password_at: password, factor_at: factor }) => [
    ...(password === null ? [] : [`confirmed the password at ${String(password)}`]),
    ...(factor === null ? [] : [`confirmed a factor at ${String(factor)}`]),
  ],
}

// What an entry says that gives no right by itself.
const NO_RIGHTS: readonly string[] = [
  'challenge',
  'second_door',
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

async function rightsOf(browser: Browser): Promise<ReadonlySet<string>> {
  const entries = Object.entries(await browser.session())
  return new Set(
    entries.flatMap(([key, value]) =>
      // The identity is a string, and needs no look into it.
      value === null ? [] : (RIGHTS[key]?.(typeof value === 'object' ? { ...value } : {}) ?? []),
    ),
  )
}

// Proofs are told apart by their time, and named without it.
function gained(before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    [...after].filter((right) => !before.has(right)).map((right) => right.replace(/ at \d+$/, '')),
  )
}

describe('a step after which a session may do more', () => {
  for (const [name, { gains, before }] of Object.entries(STEPS))
    it(`gives it a new identifier, and the one before gets no further: ${name} [MEND-07]`, async (test) => {
      const { browser, act } = await before(test)
      const [known, rights] = [browser.sessionId, await rightsOf(browser)]
      assert.ok(known !== undefined)
      const knowing = browser.twin()

      const { status } = await act()

      assert.ok(status === 200 || status === 303, String(status))
      const gain = gained(rights, await rightsOf(browser))
      for (const right of gains) assert.ok(gain.has(right), `${right}: ${[...gain].join(', ')}`)
      assert.notEqual(browser.sessionId, known)
      assert.equal(await knowing.isSignedIn(), false)
      assert.equal((await knowing.open('/enroll')).location, '/login')
      assert.equal((await knowing.open('/login/2fa')).location, '/login')
    })

  it('is in the table of this test, whatever it gives [MEND-07]', () => {
    const all = ['signed in', 'password proven', 'passkey proven', 'sets up a factor', 'needs no link']
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
  const folder = new URL('identity/', STARTER)
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
