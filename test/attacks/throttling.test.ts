import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COOKIE } from './fixture/browser.ts'
import { World } from './fixture/world.ts'

function failures(world: World): number {
  return world.accounts.rows("SELECT * FROM failure WHERE account = 'u1'").length
}

async function guess(world: World, times: number): Promise<void> {
  for (let done = 0; done < times;) {
    const ada = await world.pending('ada')
    await ada.get('/login/2fa')
    for (let i = 0; i < 5 && done < times; i++, done++) {
      const { status } = await ada.post('/login/2fa', { code: world.wrongCode('ada') })
      assert.ok(status === 422 || status === 429)
    }
  }
}

describe('abuse of the limits', () => {
  it('a challenge accepts five codes [A-068]', async (test) => {
    const world = await World.create(test)
    const ada = await world.pending('ada')
    await ada.get('/login/2fa')
    for (let i = 0; i < 5; i++)
      assert.equal((await ada.post('/login/2fa', { code: world.wrongCode('ada') })).status, 422)
    const answer = await ada.post('/login/2fa', { code: world.code('ada') })
    assert.equal(answer.headers.get('location'), '/login')
    assert.deepEqual([await ada.who(), (await ada.session())?.['_2fa']], [null, undefined])
    const events = world.accounts.rows("SELECT * FROM event WHERE kind = 'code-refused'")
    assert.equal(events.length, 5)
    assert.deepEqual(new Set(events.map(({ account }) => account)), new Set(['u1']))
    assert.match(String(events[0]?.['challenge']), /^[0-9a-f-]{36}$/)
  })

  it('ten failures lock an account, whatever the number of challenges [A-069]', async (test) => {
    const world = await World.create(test)
    await guess(world, 10)
    for (let i = 0; i < 3; i++) {
      const ada = await world.pending('ada')
      const answer = await ada.code(world.code('ada'))
      assert.equal(answer.status, 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.equal(await ada.who(), null)
    }
    world.clock.advance(899)
    assert.equal((await (await world.pending('ada')).code(world.code('ada'))).status, 429)
    world.clock.advance(2)
    assert.equal(
      (await (await world.pending('ada')).code(world.code('ada'))).headers.get('location'),
      '/account',
    )
    const eve = await world.pending('eve')
    assert.equal((await eve.code(world.code('eve'))).headers.get('location'), '/account')
  })

  it('a correct password resets no failed code [A-071]', async (test) => {
    const world = await World.create(test)
    await guess(world, 7)
    const ada = await world.pending('ada')
    assert.equal(failures(world), 7)
    await ada.code(world.code('ada'))
    assert.equal(failures(world), 0)
  })

  it('headers about the client restore nothing [A-072]', async (test) => {
    const world = await World.create(test)
    for (let done = 0; done < 10;) {
      const ada = await world.pending('ada')
      for (let i = 0; i < 5; i++, done++) {
        await ada.get('/login/2fa')
        const address = `192.0.2.${done}`
        const headers = {
          cookie: `${COOKIE}=${ada.sessionId ?? ''}`,
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': address,
          forwarded: `for=${address}`,
          'x-real-ip': address,
        }
        const body = String(new URLSearchParams({ _csrf: ada.token, code: world.wrongCode('ada') }))
        const sent = { method: 'POST', target: '/login/2fa', headers, body }
        const { status } = done % 2 === 0 ? await world.raw(sent) : await world.fetch(sent)
        assert.equal(status, 422)
      }
    }
    assert.equal((await (await world.pending('ada')).code(world.code('ada'))).status, 429)
  })
})
