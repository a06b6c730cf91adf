import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { databases } from '../databases.ts'
import { failuresOf } from '../failures.ts'
import type { Page, Person, World } from '../support.ts'
import { atDoor, codesOf, enroll, RECOVERY, signedIn, enrolled } from './steps.ts'

async function use(world: World, person: Person, code: string): Promise<Page> {
  return (await atDoor(world, person, RECOVERY)).submit(RECOVERY, { code })
}

const WRONG = '0000-0000-0000'
const RENEWAL = '/account/recovery-codes'

describe('a recovery code', () => {
  it('opens the second door once, whoever comes at the same time, for its account only; the others are failures [FACTOR-13 FACTOR-15 FACTOR-16 FACTOR-33 A-064 A-065 RA-0602 RA-2702]', async (test) => {
    const { world, person: eve, codes } = await enrolled(test)
    const { person: ann } = await enroll(world, world.browser(), 'ann')
    const [code = '', next = ''] = codes
    assert.equal((await use(world, ann, code)).status, 422)
    const counted = (await failuresOf(world.database)).filter((subject) =>
      /^(?:factor|recovery):/.test(subject),
    )
    assert.deepEqual(counted, [`factor:${ann.id}`, `recovery:${ann.id}`])
    const browsers = await Promise.all(Array.from({ length: 4 }, () => atDoor(world, eve, RECOVERY)))

    const pages = await Promise.all(browsers.map((browser) => browser.submit(RECOVERY, { code })))

    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 422, 422, 422])
    const inside = await Promise.all(browsers.map((browser) => browser.isSignedIn()))
    assert.equal(inside.filter(Boolean).length, 1)
    assert.deepEqual((await world.events(eve)).slice(-5).toSorted(), [
      'logged-in',
      ...Array.from({ length: 3 }, () => 'recovery-code-refused'),
      'recovery-code-used',
    ])
    assert.equal(await world.identity.codes.left(eve.id), 9)
    assert.deepEqual(world.faults, [])
    assert.equal((await use(world, eve, next)).location, '/account')
  })

  it('of which none is left leaves the second door closed [A-067]', async (test) => {
    const { world, person: eve, codes } = await enrolled(test)
    for (const code of codes) assert.equal((await use(world, eve, code)).location, '/account')

    const browser = world.browser()
    const page = await browser.password(eve)

    assert.equal(await world.identity.codes.left(eve.id), 0)
    assert.equal(page.location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
  })

  it('is stored as a public prefix and a hash with a salt of its own, and nothing that can be reversed [A-066 FACTOR-14 RA-0601]', async (test) => {
    const { world, codes } = await enrolled(test)

    const rows = await world.database.selectFrom('recovery_code').selectAll().execute()
    const stored = await databases.stored(world.directory)

    const prefixes = rows.map(({ prefix }) => prefix)
    assert.deepEqual(prefixes.toSorted(), codes.map((code) => code.slice(0, 4)).toSorted())
    assert.ok(rows.every(({ hash }) => hash.startsWith('$argon2id$') && stored.includes(hash)))
    assert.equal(new Set(rows.map(({ hash }) => hash.split('$').at(-2))).size, codes.length)
    for (const code of codes) {
      const secret = code.slice(5).replace('-', '')
      const bytes = Buffer.from(secret)
      const reversed = [...secret].toReversed().join('')
      for (const form of [secret, bytes.toString('base64url'), bytes.toString('hex'), reversed])
        assert.equal(stored.includes(form), false)
    }
  })

  it('is found by its public prefix, and one hash decides [RA-0601]', async (test) => {
    const { world, person: eve, codes } = await enrolled(test)
    const [code = '', other = ''] = codes
    const verify = test.mock.method(world.hasher, 'verify')

    for (const typed of [WRONG, 'ZZZZ-ZZZZ-ZZZZ', `${other.slice(0, 4)}-${code.slice(5)}`, code]) {
      const browser = await atDoor(world, eve, RECOVERY)
      verify.mock.resetCalls()
      await browser.submit(RECOVERY, { code: typed })
      assert.equal(verify.mock.callCount(), 1, typed)
    }
  })
})

describe('new recovery codes', () => {
  it('are shown once, in place of the old ones, and a mail tells it [RA-1301 RA-0603]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    const [old = ''] = codesOf(await browser.send(RENEWAL))
    assert.match((await browser.open(RENEWAL)).html, /You have 10 recovery codes left/)

    const renewed = codesOf(await browser.submit(RENEWAL))

    assert.equal(renewed.length, 10)
    assert.deepEqual(codesOf(await browser.open(RENEWAL)), [])
    assert.match(world.mailbox.list()[0]?.subject ?? '', /New recovery codes/)
    assert.equal((await use(world, person, old)).status, 422)
    assert.equal((await use(world, person, renewed[0] ?? '')).location, '/account')
  })
})
