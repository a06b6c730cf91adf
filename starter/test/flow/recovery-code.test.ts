import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { databases } from '../databases.ts'
import { failuresOf } from '../failures.ts'
import { type Page, type Person, World } from '../support.ts'
import { listen } from 'sallyport-app/testing'
import { atDoor, enroll, RECOVERY } from './steps.ts'

async function use(world: World, person: Person, code: string): Promise<Page> {
  return (await atDoor(world, person, RECOVERY)).submit(RECOVERY, { code })
}

const WRONG = '0000-0000-0000'

describe('a recovery code', () => {
  it('opens the second door once, for its account only [FACTOR-13 FACTOR-33 A-064 A-065]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const { person: ann } = await enroll(world, world.browser(), 'ann')
    const [code = ''] = codes

    assert.equal((await use(world, ann, code)).status, 422)
    const counted = (await failuresOf(world.database)).filter((subject) =>
      /^(?:factor|recovery):/.test(subject),
    )
    assert.deepEqual(counted, [`factor:${ann.id}`, `recovery:${ann.id}`])
    const browser = await atDoor(world, eve, RECOVERY)
    const page = await browser.submit(RECOVERY, { code })

    assert.deepEqual([page.status, page.location], [303, '/account'])
    assert.equal(await browser.isSignedIn(), true)
    assert.equal((await use(world, eve, code)).status, 422)
    assert.deepEqual((await world.events(eve)).slice(-5), [
      'password-accepted',
      'recovery-code-used',
      'logged-in',
      'password-accepted',
      'recovery-code-refused',
    ])
    assert.equal((await use(world, eve, codes[1] ?? '')).location, '/account')
  })

  it('of which none is left leaves the second door closed [A-067]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    for (const code of codes) assert.equal((await use(world, eve, code)).location, '/account')

    const browser = world.browser()
    const page = await browser.password(eve)

    assert.equal(await world.identity.codes.left(eve.id), 0)
    assert.equal(page.location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
  })

  it('is in no file, no log and no mail in clear or in reversible form, and is stored as a public prefix and a hash with a salt of its own [A-066 FACTOR-14 RA-0601]', async (test) => {
    const lines = listen(test)
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    for (let times = 0; times < 2; times += 1) await use(world, eve, codes[0] ?? '')

    const rows = await world.database.selectFrom('recovery_code').selectAll().execute()
    const said = [
      ...lines,
      JSON.stringify(world.mailbox.list()),
      await databases.stored(world.directory),
    ].join('\n')

    assert.ok(lines.join('').includes('recovery-code-refused'))
    assert.deepEqual(
      rows.map(({ prefix }) => prefix).toSorted(),
      codes.map((code) => code.slice(0, 4)).toSorted(),
    )
    assert.ok(rows.every(({ hash }) => hash.startsWith('$argon2id$') && said.includes(hash)))
    assert.equal(new Set(rows.map(({ hash }) => hash.split('$').at(-2))).size, codes.length)
    for (const code of codes) {
      const secret = code.slice(5).replace('-', '')
      const bytes = Buffer.from(secret)
      const reversed = [...secret].toReversed().join('')
      const reversible = [bytes.toString('base64url'), bytes.toString('hex'), reversed]
      for (const form of [code, code.replaceAll('-', ''), code.slice(5), secret, ...reversible])
        assert.equal(said.includes(form), false)
    }
  })

  it('is found by its public prefix, and one hash decides [RA-0601]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const [code = '', other = ''] = codes
    const verify = test.mock.method(world.hasher, 'verify')

    for (const typed of [WRONG, 'ZZZZ-ZZZZ-ZZZZ', `${other.slice(0, 4)}-${code.slice(5)}`, code]) {
      const browser = await atDoor(world, eve, RECOVERY)
      verify.mock.resetCalls()
      await browser.submit(RECOVERY, { code: typed })
      assert.equal(verify.mock.callCount(), 1, typed)
    }
  })

  it('of many uses at once, one succeeds and the others are failures [FACTOR-15 FACTOR-16 RA-0602 RA-2702]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const browsers = await Promise.all(Array.from({ length: 4 }, () => atDoor(world, eve, RECOVERY)))

    const pages = await Promise.all(
      browsers.map((browser) => browser.submit(RECOVERY, { code: codes[0] ?? '' })),
    )

    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 422, 422, 422])
    assert.equal((await world.events(eve)).filter((kind) => kind === 'recovery-code-refused').length, 3)
    assert.equal(await world.identity.codes.left(eve.id), 9)
    assert.deepEqual(world.faults, [])
  })

  it('has a limit of its own, counts for the account, and is recorded [FACTOR-21 FACTOR-22 RA-0603 A-070]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const [code = ''] = codes
    for (let times = 0; times < RECOVERY_LIMIT.failures; times += 1)
      assert.equal((await use(world, eve, WRONG)).status, 422)

    const locked = await use(world, eve, code)

    assert.equal(locked.status, 429)
    assert.equal(await world.identity.codes.left(eve.id), 10)
    world.clock.advance(30)
    const browser = world.browser()
    for (let times = RECOVERY_LIMIT.failures; times < FACTOR_LIMIT.failures; times += 1) {
      await browser.password(eve)
      assert.equal((await browser.code('000000')).status, 422)
    }
    await browser.password(eve)
    assert.equal((await browser.code(await world.code(eve))).status, 429)
    const kinds = await world.events(eve)
    assert.equal(kinds.filter((kind) => kind === 'recovery-code-refused').length, RECOVERY_LIMIT.failures)
  })

  it('counts against the attempts of the pending login [FACTOR-17]', async (test) => {
    const world = await World.create(test)
    const { person: eve } = await enroll(world, world.browser(), 'eve')
    const browser = await atDoor(world, eve, RECOVERY)
    for (let times = 0; times < 2; times += 1) await browser.submit(RECOVERY, { code: WRONG })
    for (let times = 0; times < 2; times += 1) await browser.submit('/login/2fa', { code: '000000' })

    const page = await browser.submit(RECOVERY, { code: WRONG })

    assert.deepEqual([page.location, '_2fa' in (await browser.session())], ['/login', false])
  })

  it('sends a mail at once, and says how many codes are left [RA-0603]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const browser = await atDoor(world, eve, RECOVERY)

    await browser.submit(RECOVERY, { code: codes[0] ?? '' })

    const [mail] = world.mailbox.list()
    assert.deepEqual([mail?.to, mail?.subject], [eve.email, 'A recovery code was used'])
    assert.match(mail?.text ?? '', /9 codes are left/)
    const { html } = await browser.open('/account')
    assert.match(html, /You signed in with a recovery code/)
    assert.match(html, /Recovery codes<\/strong>\s*<span class="tag ">9 codes left</)
  })

  it('is not used when the login cannot be recorded, and signs nobody in [R-24 RA-2502]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const browser = await atDoor(world, eve, RECOVERY)
    const record = world.identity.audit.record.bind(world.identity.audit)
    const broken = test.mock.method(
      world.identity.audit,
      'record',
      async (...args: Parameters<typeof record>) => {
        if (args[0].kind === 'logged-in') throw new Error('disk full')
        await record(...args)
      },
    )

    const page = await browser.submit(RECOVERY, { code: codes[0] ?? '' })
    broken.mock.restore()

    assert.equal(page.status, 500)
    assert.equal(await browser.isSignedIn(), false)
    assert.equal(await world.identity.codes.left(eve.id), 10)
    assert.equal((await browser.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/account')
  })

  it('needs a live pending login, whose account the session alone says [FLOW-25 FLOW-40 FLOW-54]', async (test) => {
    const world = await World.create(test)
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const browser = world.browser()
    await browser.open('/login')
    assert.equal((await browser.open(RECOVERY)).location, '/login')
    assert.equal(
      (await browser.submit(RECOVERY, { code: codes[0] ?? '', identifier: eve.id })).location,
      '/login',
    )

    const late = await atDoor(world, eve, RECOVERY)
    world.clock.advance(300)
    assert.equal((await late.submit(RECOVERY, { code: codes[0] ?? '' })).location, '/login')
    assert.equal(await world.identity.codes.left(eve.id), 10)
  })
})
