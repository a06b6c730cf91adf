import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generate } from 'otplib/functional'
import { FACTOR_LIMIT, RECOVERY_LIMIT } from '../../core/limits/limits.ts'
import { storedIn } from '../databases.ts'
import { type Page, type Person, World } from '../support.ts'
import { listen } from './listening.ts'
import { enroll, personOf, signUp } from './newcomer.ts'
import { SECURITY } from './security-steps.ts'
import { failuresOf } from '../failures.ts'

const PATH = '/login/2fa/recovery'

async function recover(world: World, person: Person, code: string): Promise<Page> {
  const browser = world.browser()
  await browser.password(person)
  await browser.open(PATH)
  return browser.submit(PATH, { code })
}

describe('abuse of recovery codes', () => {
  it('a code is accepted, then refused; the next one is accepted [A-064]', async (test) => {
    const world = await World.create(test)
    const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
    const [one = '', two = ''] = codes

    const pages = [
      await recover(world, ada, one),
      await recover(world, ada, one),
      await recover(world, ada, two),
    ]

    assert.deepEqual(
      pages.map(({ status }) => status),
      [303, 422, 303],
    )
  })

  it('a code of another account is refused and counted, and stays usable by its owner [A-065]', async (test) => {
    const world = await World.create(test)
    const { person: ada } = await enroll(world, world.browser(), 'ada')
    const { person: eve, codes } = await enroll(world, world.browser(), 'eve')
    const [code = ''] = codes

    assert.equal((await recover(world, ada, code)).status, 422)
    assert.ok((await world.events(ada)).includes('recovery-code-refused'))
    const counted = (await failuresOf(world.database)).filter((subject) => !/^(?:sign-up|hash)/.test(subject))
    assert.deepEqual(counted, [`factor:${ada.id}`, `recovery:${ada.id}`])
    assert.equal((await recover(world, eve, code)).location, '/account')
  })

  it('no file, no log and no mail has a code in clear or in reversible form, and each is hashed with a salt of its own [A-066]', async (test) => {
    const lines = listen(test)
    const world = await World.create(test)
    const browser = world.browser()
    const { person: ada, codes } = await enroll(world, browser, 'ada')
    const [used = ''] = codes
    for (let times = 0; times < 2; times += 1) await recover(world, ada, used)

    const rows = await world.database.selectFrom('recovery_code').selectAll().execute()
    const said = [...lines, JSON.stringify(world.mailbox.list()), await storedIn(world.directory)].join('\n')

    assert.ok(lines.join('').includes('recovery-code-refused'))
    assert.ok(rows.every(({ hash }) => hash.startsWith('$argon2id$') && said.includes(hash)))
    assert.equal(new Set(rows.map(({ hash }) => hash.split('$').at(-2))).size, codes.length)
    for (const code of codes) {
      const secret = code.slice(5).replace('-', '')
      const bytes = Buffer.from(secret)
      const reversible = [
        bytes.toString('base64url'),
        bytes.toString('hex'),
        [...secret].toReversed().join(''),
      ]
      for (const form of [code, code.replaceAll('-', ''), code.slice(5), secret, ...reversible])
        assert.equal(said.includes(form), false)
    }
  })

  it('with the last code used, the second door stays closed [A-067]', async (test) => {
    const world = await World.create(test)
    const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
    for (const code of codes) assert.equal((await recover(world, ada, code)).location, '/account')

    const browser = world.browser()
    const page = await browser.password(ada)

    assert.equal(await world.identity.codes.left(ada.id), 0)
    assert.equal(page.location, '/login/2fa')
    assert.equal(await browser.isSignedIn(), false)
    assert.match(world.mailbox.list()[0]?.text ?? '', /No code is left/)
  })

  it('both kinds of code have one budget [A-070]', async (test) => {
    const world = await World.create(test)
    const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
    world.clock.advance(30)
    const wrongCodes = FACTOR_LIMIT.failures - RECOVERY_LIMIT.failures
    const browser = world.browser()
    await browser.password(ada)
    await browser.open(PATH)
    for (let times = 0; times < RECOVERY_LIMIT.failures; times += 1)
      await browser.submit(PATH, { code: '0000-0000-0000' })
    await browser.password(ada)
    for (let times = 0; times < wrongCodes; times += 1) await browser.code(await world.wrongCode(ada))

    await browser.password(ada)
    assert.equal((await browser.code(await world.code(ada))).status, 429)
    assert.equal((await recover(world, ada, codes[0] ?? '')).status, 429)
  })

  it('of a code of the app and a recovery code for one pending login, one signs in, and the other stays unused [A-121]', async (test) => {
    const world = await World.create(test)
    const { person: ada, codes } = await enroll(world, world.browser(), 'ada')
    for (const [index, code] of codes.slice(0, 4).entries()) {
      world.clock.advance(30)
      const browser = world.browser()
      await browser.password(ada)
      await browser.open(PATH)
      const before = await world.identity.codes.left(ada.id)
      const [one, two] = [browser.twin(), browser.twin()]
      const typed = await world.code(ada)

      const byCode = one.submit('/login/2fa', { code: typed })
      const byRecovery = two.submit(PATH, { code })
      const pages =
        index % 2 === 0 ? await Promise.all([byCode, byRecovery]) : await Promise.all([byRecovery, byCode])

      const signedIn = pages.filter(({ location }) => location === '/account')
      assert.equal(signedIn.length, 1)
      const isRecovered = (await byRecovery).location === '/account'
      assert.equal(await world.identity.codes.left(ada.id), before - (isRecovered ? 1 : 0))
      const later = world.browser()
      await later.password(ada)
      assert.equal((await later.code(typed)).status, isRecovered ? 303 : 422)
    }
  })
})

describe('abuse of an enrollment', () => {
  it('one that was left demands no second factor, and reports none [A-073]', async (test) => {
    const world = await World.create(test)
    const cat = await personOf(world, 'cat', await signUp(world, world.browser(), 'cat'))
    const browser = world.browser()

    const page = await browser.password(cat)

    assert.equal(page.location, '/account')
    assert.match((await browser.open('/account')).html, /sign in with your password only/)
    assert.equal(await world.identity.secondFactors.isRequired(cat.id), false)
    assert.deepEqual(await world.identity.secondFactors.usable(cat.id), [])
    assert.doesNotMatch((await browser.open(SECURITY)).html, /Authenticator app<\/strong>/)
  })

  it('only the secret and the parameters of the server count [A-075]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()
    const bob = await personOf(world, 'bob', await signUp(world, browser, 'bob'))
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const code = await generate({ secret, epoch: world.clock.timestamp() })

    const page = await browser.submit('/enroll', {
      code,
      secret,
      issuer: 'x',
      period: '60',
      digits: '6',
      algorithm: 'SHA1',
    })

    assert.equal(page.status, 422)
    assert.equal(await world.identity.secondFactors.isRequired(bob.id), false)
    assert.equal(
      (await browser.submit('/enroll', { code: await world.code(bob), secret, period: '60' })).status,
      200,
    )
  })
})
