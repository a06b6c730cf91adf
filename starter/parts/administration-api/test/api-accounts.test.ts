import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../../test/support.ts'
import { makeToken, Program, type Reply } from '../../api/test/program.ts'

interface Listed {
  readonly email: string
  readonly hasFactor: boolean
}

/** An administrator's program, and this many other accounts. */
async function among(world: World, count: number): Promise<Program> {
  for (let index = 0; index < count; index += 1) {
    const email = `p${String(index).padStart(3, '0')}@example.test`
    await world.identity.users.add({ email, name: 'Same', passwordHash: null }, world.clock)
  }
  const root = await world.person('root', { permissions: ['admin.access'] })
  return new Program(world, await makeToken(world, root, { scopes: ['admin.access'] }))
}

function listed({ json }: Reply): readonly Listed[] {
  return json['accounts'] as readonly Listed[]
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
      sizes.push(listed(reply).length)
      emails.push(...listed(reply).map(({ email }) => email))
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

    const queries = [
      'limit=0',
      'limit=101',
      'limit=1e1',
      'limit=-1',
      'limit=1&limit=2',
      'after=',
      'after=nobody',
    ]
    const replies = await Promise.all(queries.map((query) => program.get(`/accounts?${query}`)))

    for (const [index, { status, headers }] of replies.entries()) {
      assert.equal(status, 422, queries[index])
      assert.equal(headers.get('content-type'), 'application/problem+json')
      assert.equal(headers.get('link'), null)
    }
    assert.deepEqual(world.faults, [])
  })
})
