import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, World } from '../support.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

/** What a problem says about the form. */
interface Problem {
  readonly violations?: readonly { readonly field: string | null; readonly code: string }[]
}

describe('a client that prefers JSON', () => {
  // Whatever the field is: nothing of these forms can be accepted.
  const forms: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
    ['/account/password', { password: 'short' }],
    ['/account/profile', { name: '' }],
    ['/account/address', { email: 'no address' }],
    ['/account/delete', { email: 'eve@example.test' }],
    ['/account/security/tokens/new', { name: '' }],
    ['/account/security/add', { label: '', code: 'no' }],
  ]
  for (const [path, fields] of forms)
    it(`RA-0007: is told in problem details what is wrong with the form of ${path}`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      await browser.signIn(ada)
      await browser.open(path)

      const page = await browser.submit(path, fields, JSON_CLIENT)

      assert.deepEqual([page.status, page.headers.get('content-type')], [422, 'application/problem+json'])
      assert.notEqual((JSON.parse(page.html) as Problem).violations?.length ?? 0, 0)
    })

  for (const path of ['/sign-up', '/forgot'])
    it(`RA-0007: is told in problem details what is wrong with the form of ${path}`, async (test) => {
      const world = await World.create(test)
      const browser = world.browser()
      await browser.open(path)

      const page = await browser.submit(path, { email: 'no address' }, JSON_CLIENT)

      assert.deepEqual([page.status, page.headers.get('content-type')], [422, 'application/problem+json'])
      assert.equal((JSON.parse(page.html) as Problem).violations?.[0]?.field, 'email')
    })

  it('RA-0007: is told in problem details that a link works no more', async (test) => {
    const world = await World.create(test)

    const page = await world.browser().open('/forgot/no-such-token', JSON_CLIENT)

    assert.deepEqual([page.status, page.headers.get('content-type')], [410, 'application/problem+json'])
    assert.equal((JSON.parse(page.html) as { code: string }).code, 'ERR_STARTER_LINK_OUTDATED')
  })

  it('RA-0007, RA-0404: is told with the last attempt that the challenge is spent, and afterwards that it is over', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')
    const codes: string[] = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      // The end of the challenge ends the tokens of its pages.
      if (attempt === 6) await browser.open('/login')
      const page = await browser.submit('/login/2fa', { code: await world.wrongCode(ada) }, JSON_CLIENT)
      assert.equal(page.status, 422)
      codes.push(...((JSON.parse(page.html) as Problem).violations ?? []).map(({ code }) => code))
    }

    const wrong = Array.from({ length: 4 }, () => 'invalid_code')
    assert.deepEqual(codes, [...wrong, 'challenge_spent', 'challenge_expired'])
  })

  it('RA-0007: is told that a challenge has expired', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.submit('/login', { email: ada.email, password: PASSWORD })
    await browser.open('/login/2fa')
    world.clock.advance(301)

    const page = await browser.submit('/login/2fa', { code: await world.code(ada) }, JSON_CLIENT)

    assert.equal((JSON.parse(page.html) as Problem).violations?.[0]?.code, 'challenge_expired')
    assert.equal((await browser.open('/account')).status, 302)
  })
})
