import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Violation } from 'sallyport/input'
import { HeldRequest } from 'sallyport-app/testing'
import { Scopes } from '../../api/scopes.ts'
import { type Person, World } from '../../../test/support.ts'
import { makeToken, Program, type Reply } from '../../api/test/program.ts'

const MANAGER = ['admin.access', 'accounts.manage', 'accounts.permissions', 'factors.reset']
const BECAUSE = { json: { reason: 'Seen in a leak' } }

async function managing(world: World): Promise<{ readonly root: Person; readonly program: Program }> {
  const root = await world.person('root', { factor: 'enabled', permissions: MANAGER })
  const program = new Program(world, await makeToken(world, root, { scopes: ['accounts.manage'] }))
  return { root, program }
}

function acts({ database }: World): Promise<unknown> {
  return database.selectFrom('event').select(['actor', 'reason']).where('reason', 'is not', null).execute()
}

/** Whether its token was seen. */
async function isUsed({ database }: World): Promise<boolean> {
  const { used_at: used } = await database.selectFrom('api_token').select('used_at').executeTakeFirstOrThrow()
  return used !== null
}

const LOST: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'the token is revoked': ({ database }) => database.deleteFrom('api_token').execute(),
  'the account loses the permission': ({ database }) => database.deleteFrom('account_permission').execute(),
}

describe('a request of the API whose body is held back', () => {
  for (const [what, lose] of Object.entries(LOST))
    it(`does nothing once ${what} [RA-3001 SCOPE-23]`, async (test) => {
      const world = await World.create(test)
      const url = await world.listen(test)
      const root = await world.person('root', { factor: 'enabled', permissions: MANAGER })
      const token = await makeToken(world, root, { scopes: ['accounts.manage'] })
      const bob = await world.person('bob')
      const browser = await world.inside(bob)
      const body = JSON.stringify(BECAUSE.json)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const held = new HeldRequest(`${url}/api/accounts/${bob.id}/disable`, body, headers)
      while (!(await isUsed(world))) await pause(5)
      await lose(world)

      const answer = await held.finish()

      const [status, challenge] = what.includes('permission') ? [403, /^$/] : [401, /invalid_token/]
      assert.equal(answer.statusCode, status)
      assert.match(answer.headers['www-authenticate'] ?? '', challenge)
      assert.equal(await browser.isSignedIn(), true)
      assert.deepEqual(await acts(world), [])
    })
})

describe('the administration by the API', () => {
  it('ends the sessions of an account, disables and enables it, each recorded with who and why', async (test) => {
    const world = await World.create(test)
    const { root, program } = await managing(world)
    const bob = await world.person('bob')
    await world.inside(bob)

    const replies: unknown[] = []
    for (const act of ['end-sessions', 'disable', 'disable', 'enable'])
      replies.push((await program.send('POST', `/accounts/${bob.id}/${act}`, BECAUSE)).json)

    assert.deepEqual(replies, [{ ended: 1 }, { changed: true }, { changed: false }, { changed: true }])
    const by = { actor: root.id, reason: 'Seen in a leak' }
    assert.deepEqual(await acts(world), [by, by, by])
  })

  it('is refused by the scope, the rule of the use case as the page is, and what the body is like [SCOPE-22]', async (test) => {
    const world = await World.create(test)
    const { root, program } = await managing(world)
    const bob = await world.person('bob')
    const reader = new Program(world, await makeToken(world, root, { scopes: ['admin.access'] }))
    const path = `/accounts/${bob.id}/disable`

    const replies = [
      await reader.send('POST', path, BECAUSE),
      await program.send('POST', '/accounts/nobody/disable', BECAUSE),
      await program.send('POST', path, { json: {} }),
      await program.send('POST', path, { json: { reason: ['x'] } }),
      await program.send('POST', path, { body: '{', headers: { 'content-type': 'application/json' } }),
      await program.get(path),
      await program.send('POST', path, { json: { reason: ' ' } }),
      await program.send('POST', `/accounts/${root.id}/disable`, BECAUSE),
    ]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [403, 404, 422, 422, 400, 405, 422, 422],
    )
    for (const { headers } of replies) assert.equal(headers.get('content-type'), 'application/problem+json')
    const rules = replies.slice(-2).map(({ json }) => json['violations'] as readonly Violation[])
    assert.deepEqual(
      rules.flat().map(({ code }) => code),
      ['reason_missing', 'own_account'],
    )
    assert.deepEqual(await acts(world), [])
  })

  it('has no scope for what needs a person who has just proven both doors', async (test) => {
    const scopes = (await World.create(test)).app.get(Scopes)
    assert.deepEqual(scopes.grantable(MANAGER), ['admin.access', 'accounts.manage', 'activity.read'])
  })
})

/** An administrator's program, and this many other accounts. */
async function among(world: World, count: number): Promise<Program> {
  for (let index = 0; index < count; index += 1) {
    const email = `p${String(index).padStart(3, '0')}@example.test`
    await world.identity.users.add({ email, name: 'Same', passwordHash: null }, world.clock)
  }
  const root = await world.person('root', { permissions: ['admin.access'] })
  return new Program(world, await makeToken(world, root, { scopes: ['admin.access'] }))
}

function emailsOf({ json }: Reply): readonly string[] {
  return (json['accounts'] as readonly { readonly email: string }[]).map(({ email }) => email)
}

function linkOf({ headers }: Reply, relation: string): string | undefined {
  return new RegExp(`</api([^>]*)>; rel="${relation}"`).exec(headers.get('link') ?? '')?.[1]
}

describe('the list of accounts for programs', () => {
  it('comes page by page, each account once, and names the next page in the header and in the body [RA-1901]', async (test) => {
    const world = await World.create(test)
    const program = await among(world, 23)
    const emails: string[] = []
    const sizes: number[] = []

    let path: string | undefined = '/accounts?limit=10'
    while (path !== undefined) {
      const reply: Reply = await program.get(path)
      assert.equal(reply.status, 200)
      sizes.push(emailsOf(reply).length)
      emails.push(...emailsOf(reply))
      assert.equal(linkOf(reply, 'first'), '/accounts?limit=10')
      path = linkOf(reply, 'next')
      assert.equal(reply.json['next'], path === undefined ? null : `/api${path}`)
      // An account that is added before the place moves nothing behind it.
      await world.identity.users.add(
        { email: `a${emails.length}@x.test`, name: 'A', passwordHash: null },
        world.clock,
      )
    }

    assert.deepEqual(sizes, [10, 10, 4])
    assert.equal(new Set(emails).size, 24)
    assert.deepEqual(emails, emails.toSorted())
  })

  it('refuses a limit that is none and a place that is not there, as problem details', async (test) => {
    const world = await World.create(test)
    const program = await among(world, 1)

    const limits = ['0', '101', '1e1', '-1', '1&limit=2'].map((limit) => `limit=${limit}`)
    for (const query of [...limits, 'after=', 'after=nobody'])
      assert.equal((await program.get(`/accounts?${query}`)).status, 422, query)
  })
})
