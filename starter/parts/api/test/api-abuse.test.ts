import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listen } from 'sallyport-app/testing'
import { TOKEN_CLIENT_LIMIT } from '../token-check.ts'
import { newToken } from '../token-format.ts'
import { World } from '../../../test/support.ts'
import { calling, makeToken, Program, read, type Reply } from './program.ts'

const DAY = 24 * 60 * 60
const MALFORMED = 'Bearer realm="api", error="invalid_request"'

/** A token of which one character is another one: its checksum is wrong. */
function mistyped(token: string): string {
  return token.slice(0, 20) + (token[20] === 'a' ? 'b' : 'a') + token.slice(21)
}

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

  it('every refusal looks the same: unknown, expired, made in a time to come, revoked, of a disabled account, mistyped [HOLD-50]', async (test) => {
    const world = await World.create(test)
    const [ada, bob, eve] = [await world.person('ada'), await world.person('bob'), await world.person('eve')]
    const ending = await makeToken(world, ada, { days: 7 })
    const seen = new Set<string>()
    const look = async (token: string): Promise<number> => {
      const { status, headers, json } = await new Program(world, token).get('/me')
      if (status !== 200) seen.add(JSON.stringify([status, headers.get('www-authenticate'), json]))
      return status
    }

    world.clock.advance(-3600)
    assert.equal(await look(ending), 401)
    world.clock.advance(3600 + 7 * DAY - 1)
    assert.equal(await look(ending), 200)
    world.clock.advance(1)
    const [disabled, revoked] = [await makeToken(world, bob), await makeToken(world, eve)]
    await world.disable(bob)
    await world.database.deleteFrom('api_token').where('account_id', '=', eve.id).execute()
    for (const token of [
      ending,
      disabled,
      revoked,
      newToken().reveal(),
      mistyped(ending),
      'sallyport_0',
      'x',
    ])
      assert.equal(await look(token), 401)

    assert.equal(seen.size, 1)
    assert.match([...seen].join(), /^\[401,"Bearer realm=\\"api\\", error=\\"invalid_token\\""/)
  })

  it('only who has the whole token learns that it is suspended, as long as it could count again [RA-3001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const token = await makeToken(world, ada, { days: 7 })
    await world.identity.users.endSessions(ada.id)
    const codeOf = async (sent: string): Promise<unknown> =>
      (await new Program(world, sent).get('/me')).json['code']

    assert.deepEqual(
      [await codeOf(token), await codeOf(mistyped(token))],
      ['token_suspended', 'ERR_AUTH_UNAUTHORIZED'],
    )
    world.clock.advance(7 * DAY)
    assert.equal(await codeOf(token), 'ERR_AUTH_UNAUTHORIZED')
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
    const lines = listen(test)
    const { world, token, program } = await calling(test)

    await program.get('/me')
    await program.get(`/me?access_token=${token}`)
    const tokens = JSON.stringify(await world.database.selectFrom('api_token').selectAll().execute())
    await program.send('DELETE', '/me/token')
    await program.get('/me')

    assert.ok(lines.length > 0 && tokens.includes(token.slice(0, 14)))
    const events = JSON.stringify(await world.database.selectFrom('event').selectAll().execute())
    assert.equal([...lines, tokens, events].join('\n').includes(token.slice(14)), false)
  })
})
