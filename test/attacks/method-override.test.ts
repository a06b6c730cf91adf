import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exchange, parseAnswer } from './fixture/raw.ts'
import { COOKIE, type Browser } from './fixture/browser.ts'
import { World } from './fixture/world.ts'

const TARGET = '/admin/users/2'

async function rootOf(world: World): Promise<Browser> {
  const root = await world.loggedIn('root')
  await root.get('/admin')
  world.trace.clear()
  return root
}

describe('abuse of method override', () => {
  it('the overridden method is the one that is guarded [A-094]', async (test) => {
    const world = await World.create(test)
    const root = await rootOf(world)
    assert.equal((await root.send('POST', TARGET, { form: { _method: 'DELETE' } })).status, 403)
    assert.deepEqual(world.trace.handlers, [])
    assert.equal((await root.post(TARGET, { _method: 'DELETE' })).body, 'removed 2')
    assert.deepEqual(world.trace.handlers, ['admin.remove'])
  })

  it('only a form or the header of a POST counts [A-095]', async (test) => {
    const world = await World.create(test)
    const root = await rootOf(world)
    const headers = { 'x-csrf-token': root.token }
    assert.equal((await root.send('POST', TARGET, { json: { _method: 'DELETE' }, headers })).body, 'saved 2')
    assert.equal((await root.get(`${TARGET}?_method=DELETE`)).body, 'user 2')
    assert.equal((await root.send('POST', `${TARGET}?_method=DELETE`, { form: {}, headers })).body, 'saved 2')
    assert.equal((await root.get(TARGET, { headers: { 'x-http-method-override': 'DELETE' } })).body, 'user 2')
    assert.ok(!world.trace.handlers.includes('admin.remove'))
  })

  it('conflicting overrides are refused [A-096]', async (test) => {
    const world = await World.create(test)
    const root = await rootOf(world)
    const headers = { 'x-http-method-override': 'DELETE' }
    assert.equal(
      (await root.send('POST', TARGET, { form: { _csrf: root.token, _method: 'PUT' }, headers })).status,
      400,
    )
    assert.equal((await root.post(TARGET, { _method: ['PUT', 'DELETE'] })).status, 400)
    const { port } = await world.server()
    const lines = `X-HTTP-Method-Override: PUT\r\nX-HTTP-Method-Override: DELETE\r\nX-CSRF-Token: ${root.token}\r\nCookie: ${COOKIE}=${root.sessionId ?? ''}`
    const text = `POST ${TARGET} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n${lines}\r\nContent-Length: 0\r\n\r\n`
    assert.equal(world.heard({ target: TARGET }, parseAnswer(await exchange(port, text))).status, 400)
    assert.deepEqual(world.trace.handlers, [])
  })

  it('a target is PUT, PATCH or DELETE in any letter case [A-097]', async (test) => {
    const world = await World.create(test)
    const root = await rootOf(world)
    const refused = [
      'GET',
      'HEAD',
      'POST',
      'TRACE',
      'CONNECT',
      'OPTIONS',
      'QUERY',
      'DELETE\r\nX: y',
      '__proto__',
      'constructor',
      '<script>',
      'DELETE, PUT',
    ]
    for (const target of refused) {
      for (const answer of [
        await root.post(TARGET, { _method: target }),
        ...(target.includes('\n')
          ? []
          : [await root.send('POST', TARGET, { headers: { 'x-http-method-override': target } })]),
      ]) {
        assert.equal(answer.status, 400, target)
        assert.ok(!answer.body.includes('<script>'), target)
        assert.ok(!answer.headers.has('x'), target)
      }
    }
    assert.deepEqual(world.trace.handlers, [])
    // Decided: trimmed, compared in upper case, and empty means none.
    for (const target of ['delete', ' DELETE', 'DELETE '])
      assert.equal((await root.post(TARGET, { _method: target })).body, 'removed 2')
    assert.equal((await root.post(TARGET, { _method: '' })).body, 'saved 2')
    assert.equal((await root.post(TARGET, { _method: 'PATCH' })).status, 405)
  })

  it('without the middleware nothing is overridden [A-098]', async (test) => {
    const world = await World.create(test, { override: false })
    const root = await rootOf(world)
    const headers = { 'x-http-method-override': 'DELETE' }
    const answer = await root.send('POST', TARGET, {
      form: { _csrf: root.token, _method: 'DELETE' },
      headers,
    })
    assert.equal(answer.body, 'saved 2')
    assert.deepEqual(world.trace.handlers, ['admin.save'])
  })
})
