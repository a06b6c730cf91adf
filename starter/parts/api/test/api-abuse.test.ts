import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOKEN_CLIENT_LIMIT } from '../token-check.ts'
import { newToken } from '../token-format.ts'
import { World } from '../../../test/support.ts'
import { calling, makeToken, Program, read, type Reply } from './program.ts'

const MALFORMED = 'Bearer realm="api", error="invalid_request"'

function assertProblem({ status, headers }: Reply, expected: number): void {
  assert.equal(status, expected)
  assert.equal(headers.get('content-type'), 'application/problem+json')
}

describe('abuse of API tokens', () => {
  it('a token in the URL or in a list of several is refused, and counts nowhere else either', async (test) => {
    const { token, program } = await calling(test)

    const alone = await read(await program.client.get(`/api/me?access_token=${token}`))
    const beside = await program.get(`/me?access_token=${token}`)
    const escaped = await program.get(`/me?%61ccess_token=${token}`)
    const listed = await program.get('/me', { headers: { authorization: `Bearer x, Bearer ${token}` } })
    for (const reply of [alone, beside, escaped, listed]) {
      assertProblem(reply, 400)
      assert.equal(reply.headers.get('www-authenticate'), MALFORMED)
    }

    const { client } = program
    const cookie = `access_token=${token}; __Host-sid=${token}`
    for (const response of [
      await client.get(`/api/me?token=${token}`),
      await client.get('/api/me', { headers: { cookie } }),
      await client.get('/api/me', { headers: { authorization: token } }),
      await client.request('DELETE', '/api/me/token', { form: { access_token: token } }),
    ])
      assert.equal(response.status, 401)
    assert.equal((await program.get('/me')).status, 200)
  })

  it('every refusal looks the same: unknown, expired, revoked, of a disabled account, mistyped', async (test) => {
    const world = await World.create(test)
    const people = await Promise.all(['a', 'b', 'c'].map((name) => world.person(name)))
    const [expired, disabled, revoked] = people
    assert.ok(expired && disabled && revoked)
    const tokens = [newToken().reveal(), 'sallyport_0', 'x', await makeToken(world, expired, { days: 7 })]
    world.clock.advance(7 * 86_400)
    for (const person of [disabled, revoked]) tokens.push(await makeToken(world, person))
    await world.disable(disabled)
    await world.database.deleteFrom('api_token').where('account_id', '=', revoked.id).execute()

    const seen = new Set<string>()
    for (const token of tokens) {
      const { status, headers, json } = await new Program(world, token).get('/me')
      seen.add(JSON.stringify([status, headers.get('www-authenticate'), json]))
    }

    assert.equal(seen.size, 1)
    assert.match([...seen].join(), /^\[401,"Bearer realm=\\"api\\", error=\\"invalid_token\\""/)
  })

  it('only who has the whole token learns that it is suspended, as long as it could count again [RA-3001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const token = await makeToken(world, ada, { days: 7 })
    await world.identity.users.endSessions(ada.id)

    const { status, headers, json } = await new Program(world, token).get('/me')
    const other = await new Program(world, `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`).get(
      '/me',
    )
    world.clock.advance(7 * 86_400)
    const ended = await new Program(world, token).get('/me')

    assert.deepEqual([status, json['code']], [401, 'token_suspended'])
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="api", error="invalid_token"')
    for (const reply of [other, ended]) assert.equal(reply.json['code'], 'ERR_AUTH_UNAUTHORIZED')
    assert.equal((await world.events(ada)).filter((kind) => kind === 'token-refused').length, 2)
  })

  it('a client that guesses is told to wait, is looked up no more often than that, and locks out nobody', async (test) => {
    const { world, token } = await calling(test)
    const send = (sent: string, clientAddress: string): Promise<Response> => {
      const headers = { authorization: `Bearer ${sent}` }
      return world.app.fetch(new Request('https://app.test/api/me', { headers }), { clientAddress })
    }

    for (let times = 0; times < TOKEN_CLIENT_LIMIT.failures; times += 1)
      assert.equal((await send(newToken().reveal(), `2001:db8::${times}`)).status, 401)
    const locked = await read(await send(newToken().reveal(), '2001:db8::ffff'))

    assertProblem(locked, 429)
    assert.equal(locked.headers.get('retry-after'), String(TOKEN_CLIENT_LIMIT.windowSeconds))
    assert.equal((await send(token, '2001:db8::ffff')).status, 200)
    assert.equal((await send(newToken().reveal(), '2001:db8:0:1::1')).status, 401)
    const browser = world.browser()
    assert.equal((await browser.password({ email: 'ada@example.test' })).location, '/login/2fa')
  })

  it('no token stands in the database, a log record or an error: its beginning and a digest do', async (test) => {
    const { configure, reset } = await import('@logtape/logtape')
    const records: string[] = []
    await configure({
      sinks: { all: (record) => void records.push(JSON.stringify([record.message, record.properties])) },
      loggers: [{ category: [], sinks: ['all'], lowestLevel: 'trace' }],
    })
    test.after(reset)
    const { world, token, program } = await calling(test)

    await program.get('/me')
    await program.get(`/me?access_token=${token}`)
    const tokens = JSON.stringify(await world.database.selectFrom('api_token').selectAll().execute())
    await program.send('DELETE', '/me/token')
    await program.get('/me')

    assert.ok(records.length > 0 && tokens.includes(token.slice(0, 14)))
    const events = JSON.stringify(await world.database.selectFrom('event').selectAll().execute())
    assert.equal([...records, tokens, events].join('\n').includes(token.slice(14)), false)
  })
})
