import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PASSWORD, type Person } from '../support.ts'
import { codesOf, confirm, CONFIRM, type Owner, signedIn, ownerOf } from './steps.ts'

const PATH = '/account/recovery-codes'
const ASKED = `${CONFIRM}?return_url=${encodeURIComponent(PATH)}`

/** Someone signed in, whose proofs of the login count no more. */
async function longInside(test: TestContext): Promise<Omit<Owner, 'person'> & { readonly ada: Person }> {
  const { world, person: ada, browser } = await signedIn(test)
  world.clock.advance(300)
  return { world, ada, browser }
}

describe('step-up', () => {
  it('a session alone is asked for the password and a code [RA-1401 RA-1402 FACTOR-28 FACTOR-31]', async (test) => {
    const { world, ada, browser } = await longInside(test)

    const thief = browser.twin()
    const asked = await browser.open(PATH)
    const shown = await browser.open(asked.location ?? '')

    assert.deepEqual([asked.status, asked.location], [303, ASKED])
    assert.match(shown.html, /name="password"[^>]*autocomplete="current-password"/)
    assert.match(shown.html, /name="code"[^>]*inputmode="numeric"/)
    const page = await browser.submit(CONFIRM, {
      return_url: PATH,
      password: PASSWORD,
      code: await world.code(ada),
    })
    assert.deepEqual([page.status, page.location], [303, PATH])
    assert.equal((await browser.open(PATH)).status, 200)
    assert.equal(await thief.isSignedIn(), false, 'the session has a new identifier')
    assert.equal((await world.events(ada)).at(-1), 'step-up-confirmed')
  })

  it('neither the password alone nor a code alone confirms, and which was wrong is not told [RA-1401 FACTOR-29 FACTOR-32]', async (test) => {
    const { world, ada, browser } = await longInside(test)
    const wrong = await world.wrongCode(ada)
    await browser.open(ASKED)
    const tried: readonly Readonly<Record<string, string>>[] = [
      { code: wrong },
      { code: await world.code(ada) },
      { password: PASSWORD, code: wrong },
      { password: 'wrong', code: wrong },
      { password: 'wrong', code: await world.code(ada) },
    ]

    const texts = new Set<string>()
    for (const fields of tried) {
      const page = await browser.submit(CONFIRM, { return_url: PATH, ...fields })
      assert.equal(page.status, 422)
      texts.add(/id="proof-error"[^>]*>([^<]+)/.exec(page.html)?.[1] ?? '')
      assert.equal((await browser.open(PATH)).location, ASKED)
    }

    assert.equal(texts.size, 1)
    assert.equal(texts.has(''), false)
    // Without a code nothing is looked at, not even the password.
    for (const fields of [
      {},
      { password: PASSWORD },
      { password: 'wrong' },
      { password: PASSWORD, code: '' },
    ]) {
      const page = await browser.submit(CONFIRM, { return_url: PATH, ...fields })
      assert.deepEqual([page.status, /proof-error/.test(page.html)], [422, false])
      assert.match(page.html, /id="code-error">Fill in this field/)
      assert.equal((await browser.open(PATH)).location, ASKED)
    }
    // The right code beside a wrong password is not used up.
    const right = { password: PASSWORD, code: await world.code(ada) }
    assert.equal((await browser.submit(CONFIRM, { return_url: PATH, ...right })).location, PATH)
  })

  for (const [seconds, isProof] of [
    [299, true],
    [300, false],
    // The clock was set back.
    [-60, false],
  ] as const)
    it(`a login is ${isProof ? 'a' : 'no'} proof after ${seconds} seconds [RA-1401 FACTOR-30 LIMIT-02]`, async (test) => {
      const { world, browser } = await signedIn(test)
      world.clock.advance(seconds - 30)

      assert.equal((await browser.open(PATH)).location, isProof ? null : ASKED)
    })

  it('asks only for what is too old: the password is older than the code of the same login [FACTOR-30]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
    await browser.password(ada)
    world.clock.advance(200)
    await browser.code(await world.code(ada))
    world.clock.advance(100)

    const shown = await browser.open(PATH, { follow: true })
    const wrong = await browser.submit(CONFIRM, { return_url: PATH, password: 'wrong' })
    const page = await browser.submit(CONFIRM, { return_url: PATH, password: PASSWORD })

    assert.equal(shown.html.includes('name="code"'), false)
    assert.match(wrong.html, /That password is wrong/)
    assert.equal(page.location, PATH)
    world.clock.advance(200)
    const later = await browser.open(PATH, { follow: true })
    assert.equal(later.html.includes('name="password"'), false)
    assert.ok(later.html.includes('name="code"'))
  })

  it('is bound to the account, its credentials and the session [A-076 RA-1401]', async (test) => {
    const { world, ada, browser } = await longInside(test)
    const bob = await world.person('bob', { factor: 'enabled' })
    await confirm(world, browser, { person: ada, path: PATH })
    const now = world.clock.timestamp()
    const proof = {
      identifier: ada.id,
      credential_version: 1,
      password_at: now,
      factor_at: now,
      kind: 'totp',
    }
    assert.deepEqual((await browser.session())['step_up'], proof)

    await browser.open('/account')
    await browser.submit('/logout')
    assert.equal('step_up' in (await browser.session()), false)
    await browser.signIn(bob)
    await browser.write('step_up', proof)
    assert.equal((await browser.open(PATH)).location, ASKED)
    await browser.write('step_up', { ...proof, identifier: bob.id, credential_version: 2 })
    assert.equal((await browser.open(PATH)).location, ASKED)
    await browser.write('step_up', { ...proof, identifier: bob.id })
    assert.equal((await browser.open(PATH)).status, 200)
  })

  it('seven wrong codes pause the authenticator, and are recorded [RA-1402 FACTOR-18 FACTOR-22]', async (test) => {
    const { world, ada, browser } = await longInside(test)
    const wrong = await world.wrongCode(ada)
    await browser.open(ASKED)
    for (let times = 0; times < 10; times += 1)
      await browser.submit(CONFIRM, { return_url: PATH, password: PASSWORD, code: wrong })

    const right = { return_url: PATH, password: PASSWORD, code: await world.code(ada) }
    const page = await browser.submit(CONFIRM, right)

    assert.equal(page.status, 429)
    assert.equal(page.headers.get('retry-after'), '900')
    assert.match(page.html, /Wait 15 minutes/)
    assert.match((await browser.open(ASKED)).html, /Wait 15 minutes/)
    const kinds = await world.events(ada)
    assert.equal(kinds.filter((kind) => kind === 'code-refused').length, 7)
    assert.equal(kinds.filter((kind) => kind === 'code-locked').length, 1)
    world.clock.advance(900)
    const code = await world.code(ada)
    assert.equal((await browser.submit(CONFIRM, { ...right, code })).location, PATH)
  })

  it('ten wrong passwords pause the password, here and at the login [RA-1402]', async (test) => {
    const { world, ada, browser } = await longInside(test)
    await browser.open(ASKED)
    const fields = { return_url: PATH, password: 'wrong', code: '000000' }
    for (let times = 0; times < 10; times += 1) await browser.submit(CONFIRM, fields)

    const right = { return_url: PATH, password: PASSWORD, code: await world.code(ada) }
    assert.equal((await browser.submit(CONFIRM, right)).status, 429)
    assert.equal((await world.browser().password(ada)).status, 429)
  })

  it('a code that confirmed signs nobody in, and the other way around [RA-1402]', async (test) => {
    const { world, ada, browser } = await longInside(test)
    await confirm(world, browser, { person: ada, path: PATH })
    const other = world.browser()
    await other.password(ada)
    assert.equal((await other.code(await world.code(ada))).status, 422)

    world.clock.advance(300)
    await other.code(await world.code(ada))
    await browser.open(ASKED)
    const fields = { return_url: PATH, password: PASSWORD, code: await world.code(ada) }
    assert.equal((await browser.submit(CONFIRM, fields)).status, 303)
  })

  it('names the action that waits, shows it again, and does nothing by itself [RA-1403]', async (test) => {
    const { world, ada, browser } = await longInside(test)
    const shown = await browser.open(PATH, { follow: true })
    assert.match(shown.html, /<strong>Create new recovery codes<\/strong>/)

    const suspended = await browser.submit(PATH)
    assert.equal(suspended.location, ASKED)
    const page = await confirm(world, browser, { person: ada, path: PATH })

    assert.deepEqual([page.status, codesOf(page)], [200, []])
    assert.equal(await world.identity.codes.left(ada.id), 0)
    assert.equal(codesOf(await browser.submit(PATH)).length, 10)
  })

  for (const value of ['https://evil.test', '/\\evil.test', '/logout', `${PATH}/..`])
    it(`leads to no page that needs none of it: ${JSON.stringify(value)} [RA-1403]`, async (test) => {
      const { world, ada, browser } = await longInside(test)
      const shown = await browser.open(`${CONFIRM}?${new URLSearchParams({ return_url: value })}`)
      assert.equal(shown.html.includes('name="return_url"'), false)

      const fields = { return_url: value, password: PASSWORD, code: await world.code(ada) }
      const page = await browser.submit(CONFIRM, fields)

      assert.deepEqual([page.status, page.location], [303, '/account/security'])
    })
})
