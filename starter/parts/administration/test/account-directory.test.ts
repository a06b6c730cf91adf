import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { FactorKinds } from '../../../core/factors/known-kinds.ts'
import { AccountDirectory, type AccountPage } from '../account-directory.ts'
import { type Accounts, accounts } from '../../../test/identity/fixture.ts'

async function directory(
  test: TestContext,
  people: readonly (readonly [name: string, email: string])[],
): Promise<{ readonly directory: AccountDirectory; readonly store: Accounts }> {
  const store = await accounts(test)
  for (const [name, email] of people) await store.users.add({ name, email, passwordHash: null }, store.clock)
  return { directory: store.app.get(AccountDirectory), store }
}

const PEOPLE = [
  ['Ada Lovelace', 'ada@example.test'],
  ['Bob', 'bob@example.test'],
  ['100% Bob', 'percent@example.test'],
  ['under_score', 'under_score@example.test'],
  [String.raw`back\slash`, 'back@example.test'],
  ['Änne', 'anne@example.test'],
] as const

describe('the directory of accounts', () => {
  const searches: readonly (readonly [search: string, emails: readonly string[]])[] = [
    ['', ['ada', 'anne', 'back', 'bob', 'percent', 'under_score']],
    ['ada', ['ada']],
    ['ADA L', ['ada']],
    ['b', ['back', 'bob']],
    ['%', []],
    ['100%', ['percent']],
    ['_nder', []],
    ['under_', ['under_score']],
    ['under%', []],
    [String.raw`back\s`, ['back']],
    ['\\', []],
    ["' OR 1=1 --", []],
    ['Änne', ['anne']],
    ['lovelace', []],
  ]
  it('finds by how address or name begin, and nothing is a pattern [RA-2202]', async (test) => {
    const { directory: found } = await directory(test, PEOPLE)

    for (const [search, names] of searches) {
      const { accounts: listed, next } = await found.list({ search, after: '' })
      const emails = names.map((name) => `${name}@example.test`)
      assert.deepEqual([listed.map(({ email }) => email), next], [emails, null], search)
    }
  })

  it('goes on behind the last account, even if it is gone by then, and beyond accounts that are left out', async (test) => {
    const emails = Array.from({ length: 60 }, (_, n) => `p${String(n).padStart(2, '0')}@example.test`)
    const people = emails.map((email) => ['Person', email] as const)
    const { directory: found, store } = await directory(test, people)
    const listed = async (search: string, withoutFactor: boolean): Promise<readonly string[]> => {
      const seen: string[] = []
      for (let after: string | null = ''; after !== null;) {
        const page: AccountPage = await found.list({ search, after, withoutFactor })
        seen.push(...page.accounts.map(({ email }) => email))
        after = page.next
      }
      return seen
    }

    for (const email of emails.slice(0, 50)) {
      const account = await store.users.findByEmail(email)
      const { id } = await store.factors.add(account?.id ?? '', 'App', store.clock)
      await store.factors.enableUnproven(id, store.clock)
    }

    for (const search of ['', 'person', 'p']) {
      assert.deepEqual(await listed(search, false), emails)
      assert.deepEqual(await listed(search, true), emails.slice(50))
    }
    assert.equal((await found.list({ search: '', after: 'gone' })).accounts[0]?.email, emails[0])
  })
})

describe('accounts that hold a factor', () => {
  it('are those that must prove one, whatever its kind, in every list of accounts [RA-2203]', async (test) => {
    const { app, database, users, clock, factors, secondFactors } = await accounts(test)
    const held = new Map<string, boolean>()
    for (const name of [...app.get(FactorKinds).held, 'none', 'unverified'] as const) {
      const id = await users.add({ email: `${name}@example.test`, name, passwordHash: null }, clock)
      held.set(id, name !== 'none' && name !== 'unverified')
      if (name === 'none') continue
      await factors.add(id, 'App', clock)
      if (name === 'unverified') continue
      const enabled = { kind: name, state: 'enabled' } as const
      await database.updateTable('factor').set(enabled).where('account_id', '=', id).execute()
    }

    const listed = await app.get(AccountDirectory).list({ search: '', after: '' })
    const without = await app.get(AccountDirectory).list({ search: '', after: '', withoutFactor: true })

    for (const [id, hasFactor] of held) assert.equal(await secondFactors.isRequired(id), hasFactor)
    assert.deepEqual(new Map(listed.accounts.map(({ id, hasFactor }) => [id, hasFactor])), held)
    assert.deepEqual(
      without.accounts.map(({ name }) => name),
      ['none', 'unverified'],
    )
  })
})
