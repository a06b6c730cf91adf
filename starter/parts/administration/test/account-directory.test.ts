import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AccountDirectory } from '../account-directory.ts'
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

  it('goes on behind the last account, even if others appear or it is gone by then', async (test) => {
    const people = Array.from({ length: 60 }, (_, n) => {
      const number = String(n).padStart(2, '0')
      return [`Person ${number}`, `p${number}@example.test`] as const
    })
    const { directory: found, store } = await directory(test, people)

    for (const search of ['', 'person', 'p']) {
      const seen: string[] = []
      let after = ''
      for (let rounds = 0; rounds < 5; rounds += 1) {
        const page = await found.list({ search, after })
        seen.push(...page.accounts.map(({ email }) => email))
        if (page.next === null) break
        after = page.next
      }
      assert.deepEqual(
        seen,
        people.map(([, email]) => email),
      )
    }
    await store.users.add({ name: 'Person 00a', email: 'p00a@example.test', passwordHash: null }, store.clock)
    const first = await found.list({ search: '', after: '' })
    assert.equal(first.accounts.length, 25)
    assert.equal((await found.list({ search: '', after: 'gone' })).accounts[0]?.email, 'p00@example.test')
  })
})
