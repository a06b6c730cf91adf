import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from './fixture/answer.ts'
import type { Browser } from './fixture/browser.ts'
import { COOKIE } from './fixture/browser.ts'
import { passwordOf, T0, World } from './fixture/world.ts'

function assertRestart({ status, headers }: Answer, message = ''): void {
  assert.deepEqual([status, headers.get('location')], [303, '/login'], message)
}

async function assertAnonymous(browser: Browser): Promise<void> {
  assert.equal(await browser.who(), null)
  assert.equal((await browser.session())?.['_2fa'], undefined)
}

describe('abuse of a pending second factor', () => {
  it('a user who has passed only the first door is anonymous [A-044]', async (test) => {
    const world = await World.create(test)
    const ada = await world.pending('ada')
    await ada.get('/login/2fa')
    world.trace.clear()
    assert.equal((await ada.get('/account')).headers.get('location'), '/login')
    assert.equal((await ada.get('/admin')).headers.get('location'), '/login')
    for (const target of ['/account/email', '/account/2fa/disable', '/admin/users/1'])
      assert.equal((await ada.post(target)).headers.get('location'), '/login')
    assert.deepEqual(world.trace.handlers, [])
    await ada.get('/shop/cart')
    assert.equal(world.trace.last?.identifier, null)
  })

  it('the session holds an identifier and an expiry, and nothing else of the login [A-045]', async (test) => {
    const world = await World.create(test)
    const data = (await (await world.pending('ada')).session()) ?? {}
    assert.deepEqual(data['_2fa'], { identifier: 'u1', expires_at: T0 + 300 })
    assert.deepEqual(Object.keys(data).toSorted(), ['_2fa', 'challenge'])
    for (const canary of [...world.canaries, world.code('ada'), 'argon2', 'admin.access'])
      assert.ok(!JSON.stringify(data).includes(canary))
  })

  it('a challenge expires, and a late code is not used up [A-046]', async (test) => {
    const world = await World.create(test)
    const [early, late] = [await world.pending('ada'), await world.pending('ada')]
    await late.get('/login/2fa')
    world.clock.set(T0 + 300)
    assertRestart(await late.post('/login/2fa', { code: world.code('ada') }))
    await assertAnonymous(late)
    assert.equal(
      world.accounts.rows("SELECT last_step FROM factor WHERE account = 'u1'")[0]?.['last_step'],
      0,
    )
    world.clock.set(T0 + 299)
    assert.equal((await early.code(world.code('ada'))).headers.get('location'), '/account')
    assert.equal(await early.who(), 'u1')
  })

  it('submitted fields choose neither account nor expiry nor secret [A-047]', async (test) => {
    const world = await World.create(test)
    const eve = await world.pending('eve')
    const fields = {
      identifier: 'u1',
      user: 'u1',
      email: 'ada',
      expires_at: '9999999999',
      secret: 'x',
      '_2fa[identifier]': 'u1',
      _auth: 'u1',
    }
    assert.equal((await eve.code(world.code('eve'), fields)).status, 303)
    assert.equal(await eve.who(), 'u3')
    const other = await world.pending('eve')
    assert.equal((await other.code(world.code('ada'), fields)).status, 422)
  })

  it('a malformed challenge is ignored [A-048]', async (test) => {
    const world = await World.create(test)
    const end = T0 + 300
    const texts = [
      '"u1"',
      '["u1",1]',
      '{}',
      `{"identifier":"","expires_at":${end}}`,
      `{"identifier":1,"expires_at":${end}}`,
    ]
    const ends = ['"300"', '1.5', `${end}.5`, 'null', '1e400', '-1', '9007199254740993', '[]']
    const malformed = [
      ...texts,
      ...ends.map((value) => `{"identifier":"u1","expires_at":${value}}`),
      '{"identifier":"u1"}',
      `{"expires_at":${end}}`,
      `{"identifier":"u1","expires_at":${end},"admin":true}`,
      `{"identifier":["u1"],"expires_at":${end}}`,
      'null',
      'true',
    ]
    for (const text of malformed) {
      for (const way of ['page', 'code']) {
        const ada = await world.pending('ada')
        await ada.get('/login/2fa')
        await world.edit(ada.sessionId, '_2fa', text)
        assertRestart(
          way === 'page'
            ? await ada.get('/login/2fa')
            : await ada.post('/login/2fa', { code: world.code('ada') }),
          `${way} ${text}`,
        )
        await assertAnonymous(ada)
      }
    }
  })

  it('another login ends a challenge [A-049]', async (test) => {
    const world = await World.create(test)
    const browser = await world.pending('ada')
    await browser.get('/login/2fa')
    assert.equal(
      (await browser.post('/login', { email: 'bob', password: passwordOf('bob') })).headers.get('location'),
      '/account',
    )
    assert.deepEqual([await browser.who(), (await browser.session())?.['_2fa']], ['u2', undefined])
    await browser.post('/login/2fa', { code: world.code('ada') })
    assert.equal(await browser.who(), 'u2')
  })

  it('a wrong password ends a challenge, and its code stays unused [A-050]', async (test) => {
    const world = await World.create(test)
    for (const name of ['ada', 'bob', 'nobody']) {
      const ada = await world.pending('ada')
      await ada.get('/login/2fa')
      assert.equal((await ada.post('/login', { email: name, password: 'wrong' })).status, 422)
      assert.equal((await ada.session())?.['_2fa'], undefined)
      assertRestart(await ada.post('/login/2fa', { code: world.code('ada') }))
      await assertAnonymous(ada)
    }
    assert.equal(
      (await (await world.pending('ada')).code(world.code('ada'))).headers.get('location'),
      '/account',
    )
  })

  it('nobody signs in over a signed-in user [A-051]', async (test) => {
    const world = await World.create(test)
    const bob = await world.loggedIn('bob')
    const answer = await bob.password('ada')
    assert.match(answer.body, /log out first/)
    assert.deepEqual([await bob.who(), (await bob.session())?.['_2fa']], ['u2', undefined])
    assert.equal((await bob.get('/admin')).status, 403)
  })

  it('each stage has an id of its own, and earlier ones are invalid [A-052]', async (test) => {
    const world = await World.create(test)
    const ada = world.browser()
    await ada.get('/login')
    const ids = [ada.sessionId]
    await ada.post('/login', { email: 'ada', password: passwordOf('ada') })
    ids.push(ada.sessionId)
    await ada.code(world.code('ada'))
    ids.push(ada.sessionId)
    await ada.get('/account')
    await ada.post('/logout')
    ids.push(ada.sessionId)
    assert.equal(new Set(ids).size, 4)
    for (const id of ids.slice(0, 3)) {
      assert.equal(await world.sessionData(id), null)
      await assertAnonymous(world.browser().withId(id ?? ''))
    }
  })

  it('a token counts only in its own stage [A-053]', async (test) => {
    const world = await World.create(test)
    const ada = world.browser()
    await ada.get('/login')
    const first = ada.token
    await ada.post('/login', { email: 'ada', password: passwordOf('ada') })
    const refused = async (target: string, token: string): Promise<void> =>
      assert.equal(
        (await ada.send('POST', target, { form: { _csrf: token, code: world.code('ada') } })).status,
        403,
        target,
      )
    await refused('/login/2fa', first)
    await ada.get('/login/2fa')
    const second = ada.token
    await ada.post('/login/2fa', { code: world.code('ada') })
    await refused('/account/email', second)
    await ada.get('/account')
    const third = ada.token
    assert.equal((await ada.post('/account/email')).status, 200)
    await ada.post('/logout')
    await refused('/logout', third)
    await ada.get('/login')
    assert.equal((await ada.post('/logout')).status, 303)
  })

  it('an account disabled in the meantime does not pass the second door [A-054]', async (test) => {
    const world = await World.create(test)
    const ada = await world.pending('ada')
    await ada.get('/login/2fa')
    world.accounts.run("UPDATE account SET active = 0 WHERE id = 'u1'")
    assertRestart(await ada.post('/login/2fa', { code: world.code('ada') }))
    assert.match((await ada.get('/login')).body, /account unavailable/)
    await assertAnonymous(ada)
    assert.equal((await ada.password('ada')).status, 422)
    world.accounts.run("UPDATE account SET active = 1 WHERE id = 'u1'")
    assertRestart(await ada.post('/login/2fa', { code: world.code('ada') }))
  })

  it('cancelling ends a challenge and rotates the id [A-055]', async (test) => {
    const world = await World.create(test)
    const ada = await world.pending('ada')
    const before = ada.sessionId
    await ada.get('/login/2fa')
    assertRestart(await ada.post('/login/2fa/cancel'))
    assert.notEqual(ada.sessionId, before)
    await assertAnonymous(ada)
    await ada.get('/login')
    assertRestart(await ada.post('/login/2fa', { code: world.code('ada') }))
    assert.equal(
      (await (await world.pending('ada')).code(world.code('ada'))).headers.get('location'),
      '/account',
    )
  })

  it('there is no challenge page without a challenge [A-056]', async (test) => {
    const world = await World.create(test)
    for (const method of ['GET', 'HEAD']) {
      await world.everywhere({ method, target: '/login/2fa' }, ({ headers }, message) => {
        assert.equal(headers.get('location'), '/login', message)
        assert.equal(headers.get('set-cookie'), null, message)
      })
    }
  })

  it('no answer of the login may be stored [A-057]', async (test) => {
    const world = await World.create(test)
    const ada = world.browser()
    await ada.get('/login')
    await ada.post('/login', { email: 'ada', password: 'wrong' })
    await ada.send('POST', '/login', { form: {} })
    await ada.post('/login', { email: 'ada', password: passwordOf('ada') })
    await ada.get('/login/2fa')
    await ada.post('/login/2fa', { code: world.wrongCode('ada') })
    await ada.post('/login/2fa', { code: world.code('ada') })
    for (const method of ['GET', 'HEAD', 'PUT'])
      for (const target of ['/login', '/login/2fa', '/account/2fa/new', '/account/2fa/confirm'])
        await ada.send(method, target)
    await ada.get('/account')
    await ada.post('/account/2fa/confirm', { code: '1' })
    await ada.post('/logout')
    const expired = await world.pending('eve')
    await expired.get('/login/2fa')
    world.clock.advance(301)
    assertRestart(await expired.post('/login/2fa', { code: '1' }))
    for (const target of ['/login', '/login/2fa', '/account/2fa/new']) await world.browser().get(target)
    const kept = world.answers.filter(({ headers }) => headers.get('cache-control') !== 'no-store')
    assert.deepEqual(
      kept.map(({ status, headers }) => `${status} ${headers.get('cache-control')}`),
      [],
    )
  })

  it('nothing is left, cancelled or disabled by a link [A-058]', async (test) => {
    const world = await World.create(test)
    for (const browser of [await world.pending('ada'), await world.loggedIn('bob')]) {
      const before = await browser.session()
      const headers = { cookie: `${COOKIE}=${browser.sessionId ?? ''}`, 'sec-purpose': 'prefetch' }
      world.trace.clear()
      for (const method of ['GET', 'HEAD']) {
        for (const target of ['/logout', '/login/2fa/cancel', '/account/2fa/disable']) {
          await world.everywhere({ method, target, headers }, ({ status }, message) =>
            assert.equal(status, 405, message),
          )
        }
      }
      assert.deepEqual(world.trace.handlers, [])
      assert.deepEqual(await browser.session(), before)
    }
  })
})
