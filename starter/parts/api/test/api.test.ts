import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missing } from '../../../test/facts-of-parts.ts'
import { ApiTokens } from '../api-tokens.ts'
import { World } from '../../../test/support.ts'
import { calling, makeToken, Program, read, type Reply } from './program.ts'

const PLAIN_CHALLENGE = 'Bearer realm="api"'
const TEXT = { 'content-type': 'text/plain' }
const INVALID = 'Bearer realm="api", error="invalid_token"'

function assertInvalid({ status, headers, json }: Reply): void {
  assert.deepEqual([status, headers.get('www-authenticate')], [401, INVALID])
  assert.equal(headers.get('content-type'), 'application/problem+json')
  assert.equal(json['code'], 'ERR_AUTH_UNAUTHORIZED')
}

describe('the API', () => {
  it('establishes the account of the token, loaded anew for each request [AUTH-29]', async (test) => {
    const { world, ada, program } = await calling(test)

    const before = await program.get('/me')
    await world.database.updateTable('account').set({ name: 'Countess' }).where('id', '=', ada.id).execute()
    const after = await program.get('/me')

    assert.equal(before.status, 200)
    assert.deepEqual(before.json['account'], { id: ada.id, name: 'ada', email: ada.email })
    assert.deepEqual(after.json['account'], { id: ada.id, name: 'Countess', email: ada.email })
    assert.equal(before.headers.get('cache-control'), 'no-store')
  })

  it('opens no session and sets no cookie, with a session cookie or without [AUTH-30]', async (test) => {
    const { world, ada, program } = await calling(test)
    const browser = world.browser()
    await browser.signIn(ada)
    const cookie = `__Host-sid=${browser.sessionId}`
    let calls = 0
    for (const name of ['read', 'create', 'update', 'rotate', 'destroy'] as const) {
      const original = world.store[name].bind(world.store) as (...args: unknown[]) => unknown
      Object.assign(world.store, { [name]: (...args: unknown[]) => ((calls += 1), original(...args)) })
    }

    const replies = [
      await program.get('/me'),
      await program.get('/me', { headers: { cookie } }),
      await program.get('/nothing', { headers: { cookie } }),
      await program.send('DELETE', '/me/token', { headers: { cookie } }),
    ]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 404, 204],
    )
    for (const { headers } of replies) assert.deepEqual(headers.getSetCookie(), [])
    assert.equal(calls, 0)
    assert.equal(await browser.isSignedIn(), true)
    assert.notEqual(calls, 0)
  })

  it('answers an anonymous request with 401 and a Bearer challenge, as problem details for any client; a session signs nobody in there, and a token opens no page [AUTH-26 AUTH-30]', async (test) => {
    const { world, ada, token } = await calling(test, ['activity.read'])
    const [browser, stranger] = [world.browser(), world.browser()]
    await browser.signIn(ada)

    for (const { client } of [browser, stranger]) {
      const reply = await read(await client.get('/api/me', { headers: { accept: 'text/html' } }))
      assert.deepEqual([reply.status, reply.headers.get('www-authenticate')], [401, PLAIN_CHALLENGE])
      assert.equal(reply.headers.get('content-type'), 'application/problem+json')
      assert.equal(reply.headers.get('cache-control'), 'no-store')
      assert.equal(reply.json['code'], 'ERR_AUTH_UNAUTHORIZED')
    }
    const page = await stranger.open('/account', { headers: { authorization: `Bearer ${token}` } })
    assert.equal(page.location, '/login')
  })

  it('serves a request that changes something without a CSRF token, from any site [AUTH-31]', async (test) => {
    const { world, ada, program } = await calling(test)

    const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
    const reply = await program.send('DELETE', '/me/token', { headers })

    assert.equal(reply.status, 204)
    assert.deepEqual(await world.app.get(ApiTokens).list(ada.id), [])
    assertInvalid(await program.get('/me'))
    assert.deepEqual(await world.events(ada), ['token-created', 'token-revoked'])
  })

  it('describes every error under its URLs as problem details', async (test) => {
    const { program } = await calling(test)

    const replies = [
      await program.get('/nothing'),
      await program.send('POST', '/me', { json: {} }),
      await program.get('/%zz'),
      await program.send('POST', '/me', { body: 'x'.repeat(2_000_000), headers: TEXT }),
    ]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 405, 400, 413],
    )
    for (const { headers, json, status } of replies) {
      assert.equal(headers.get('content-type'), 'application/problem+json')
      assert.equal(json['status'], status)
    }
  })
})

describe('the activity by the API', () => {
  it('is that of the own account, page by page, and nothing is missed or seen twice while more is added', async (test) => {
    const { world, ada, program } = await calling(test, ['activity.read'])
    await world.browser().signIn(await world.person('eve'))
    for (let times = 0; times < 5; times += 1) await world.browser().password(ada)
    const seen: string[] = []

    let path: string | null = '/activity?limit=2'
    while (path !== null) {
      const { status, json }: Reply = await program.get(path)
      assert.equal(status, 200)
      seen.push(...(json['events'] as readonly { readonly kind: string }[]).map(({ kind }) => kind))
      path = (json['next'] as string | null)?.replace('/api', '') ?? null
      await world.browser().password(ada)
    }

    const accepted = Array.from({ length: 5 }, () => 'password-accepted')
    assert.deepEqual(seen, [...accepted, 'token-created'])
    for (const query of ['limit=0', 'limit=101', 'before=0', 'before=1;--', 'limit=1&limit=2'])
      assert.ok([400, 422].includes((await program.get(`/activity?${query}`)).status), query)
    assert.match(JSON.stringify((await program.get('/activity')).json), /"at":"2026-01-01T00:00:00Z"/)
    assert.equal((await new Program(world, await makeToken(world, ada)).get('/activity')).status, 403)
  })
})

describe('an API token', () => {
  it('never may more than its account may now', { skip: missing('administration-api') }, async (test) => {
    const { world, ada, program } = await calling(test, ['admin.access', 'activity.read'])
    assert.equal((await program.get('/accounts')).status, 200)

    await world.database.deleteFrom('account_permission').where('account_id', '=', ada.id).execute()
    const refused = await program.get('/accounts')
    const me = await program.get('/me')

    assert.equal(refused.status, 403)
    assert.equal(
      refused.headers.get('www-authenticate'),
      'Bearer realm="api", error="insufficient_scope", scope="admin.access"',
    )
    assert.deepEqual((me.json['token'] as { readonly scopes: unknown }).scopes, ['activity.read'])
  })

  it('is one of at most 25 of an account, also when they are asked for at once', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const tokens = world.app.get(ApiTokens)
    const owner = { accountId: ada.id, clientAddress: '', device: '' }
    const request = { name: 'x', scopes: [], days: 30, credentialVersion: 1 }

    const made = await Promise.all(Array.from({ length: 50 }, () => tokens.create(owner, request)))

    assert.equal(made.filter((one) => one === 'count').length, 25)
    assert.equal((await tokens.list(ada.id)).length, 25)
  })
})
