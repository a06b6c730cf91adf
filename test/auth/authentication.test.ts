import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { AnonymousException, Authentication, PermissionSet } from '../../src/auth/index.ts'

class Account {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
class ApiClient {
  readonly key = 'k'
}

const ada = new Account('Ada')

describe('Authentication', () => {
  it('is anonymous until authenticate() has run, and again after clear() [AUTH-04]', () => {
    const auth = new Authentication()

    assert.equal(auth.isAuthenticated(), false)
    auth.authenticate(ada)
    assert.equal(auth.isAuthenticated(), true)
    auth.clear()
    assert.equal(auth.isAuthenticated(), false)
  })

  it('returns the same object, of any class or none [AUTH-05 AUTH-12]', () => {
    for (const principal of [
      ada,
      new ApiClient(),
      { id: 1 },
      Object.create(null) as object,
      Object.freeze({ id: 2 }),
    ]) {
      const auth = new Authentication()

      auth.authenticate(principal)

      assert.equal(auth.principal(), principal)
    }
  })

  it('throws for a principal when anonymous [AUTH-06]', () => {
    const auth = new Authentication()

    assert.throws(() => auth.principal(), AnonymousException)
    auth.authenticate(ada)
    auth.clear()
    assert.throws(
      () => auth.principal(),
      (error) => error instanceof AnonymousException && error.code === 'ERR_AUTH_ANONYMOUS',
    )
  })

  it('returns the principal as the application’s class [AUTH-07]', () => {
    const auth = new Authentication()
    auth.authenticate(ada)

    const account: Account = auth.principalAs(Account)

    assert.equal(account, ada)
  })

  it('throws for another class, and for any class when anonymous [OPEN-14]', () => {
    const auth = new Authentication()

    assert.throws(() => auth.principalAs(Account), AnonymousException)
    auth.authenticate(new ApiClient())
    assert.throws(() => auth.principalAs(Account), /^TypeError: .* as Account: it is not an instance/)
  })

  it('returns a plain object as what a type guard proves [AUTH-07]', () => {
    interface User {
      readonly kind: 'user'
      readonly id: number
    }
    function isUser(value: object): value is User {
      return 'kind' in value && value.kind === 'user'
    }
    const isClient = (value: unknown): value is ApiClient => value instanceof ApiClient
    const auth = new Authentication()
    assert.throws(() => auth.principalAs(isUser), AnonymousException)
    const principal = { kind: 'user', id: 7 }
    auth.authenticate(principal)

    const user: User = auth.principalAs(isUser)

    assert.equal(user, principal)
    assert.throws(() => auth.principalAs(isClient), {
      name: 'TypeError',
      message: /as .*isClient.*: the type guard rejects it/s,
    })
    auth.authenticate(new ApiClient())
    assert.equal(auth.principalAs(isClient).key, 'k')
    assert.throws(() => auth.principalAs(isUser), TypeError)
  })

  it('refuses what is neither a class nor a guard that answers at once [AUTH-07]', () => {
    const auth = new Authentication()
    auth.authenticate(ada)
    const later = async (): Promise<boolean> => true

    for (const type of [undefined, null, 'Account', {}, later, () => 1])
      assert.throws(() => auth.principalAs(type as never), TypeError)
  })

  it('allows what was established with the principal [AUTH-08 AUTH-09]', () => {
    const auth = new Authentication()

    auth.authenticate(ada, ['post.edit'])

    assert.equal(auth.allows('post.edit'), true)
    assert.equal(auth.allows('post.delete'), false)
  })

  it('accepts a permission set [AUTH-09]', () => {
    const auth = new Authentication()

    auth.authenticate(ada, new PermissionSet(['a']))

    assert.equal(auth.allows('a'), true)
  })

  it('requires no permissions, and grants none then [AUTH-10]', () => {
    const auth = new Authentication()

    auth.authenticate(ada)

    assert.equal(auth.isAuthenticated(), true)
    assert.equal(auth.allows('a'), false)
  })

  it('allows nothing when anonymous, nor after the identity was cleared [OPEN-13]', () => {
    const auth = new Authentication()

    assert.equal(auth.allows('a'), false)
    auth.authenticate(ada, ['a'])
    auth.clear()
    assert.equal(auth.allows('a'), false)
  })

  it('refuses an empty permission even when anonymous [PERM-07]', () => {
    assert.throws(() => new Authentication().allows(''), TypeError)
  })

  it('a second call replaces principal and permissions together [AMB-10]', () => {
    const auth = new Authentication()
    const client = new ApiClient()

    auth.authenticate(ada, ['a'])
    auth.authenticate(client, ['b'])

    assert.equal(auth.principal(), client)
    assert.equal(auth.allows('a'), false)
    assert.equal(auth.allows('b'), true)
    auth.authenticate(ada)
    assert.equal(auth.allows('b'), false)
  })

  for (const [what, principal, permissions] of [
    ['an empty permission', new ApiClient(), ['a', '']],
    ['one text for permissions', new ApiClient(), 'admin'],
    ['null', null, []],
    ['a string', 'ada', []],
    ['undefined', undefined, []],
    ['a function', () => ada, []],
  ] as const) {
    it(`refuses ${what} and changes nothing [PERM-06]`, () => {
      const auth = new Authentication()
      auth.authenticate(ada, ['kept'])

      assert.throws(() => auth.authenticate(principal as unknown as object, permissions), TypeError)

      assert.equal(auth.principal(), ada)
      assert.equal(auth.allows('kept'), true)
    })
  }

  it('changes nothing when iterating the permissions throws', () => {
    const auth = new Authentication()
    function* broken(): Iterable<string> {
      yield 'a'
      throw new Error('database')
    }

    assert.throws(() => auth.authenticate(ada, broken()), /database/)

    assert.equal(auth.isAuthenticated(), false)
    assert.equal(auth.allows('a'), false)
  })

  it('requires nothing of a principal: its members are never accessed [SCOPE-01]', () => {
    const touched: PropertyKey[] = []
    const principal = new Proxy(
      {},
      { get: (_, key) => void touched.push(key), has: (_, key) => touched.push(key) > 0 },
    )
    const auth = new Authentication()

    auth.authenticate(principal, ['a'])
    auth.isAuthenticated()
    auth.allows('a')
    auth.principal()

    assert.deepEqual(touched, [])
  })
})
