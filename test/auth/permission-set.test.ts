import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { PermissionSet } from '../../src/auth/index.ts'

const Permission = { Admin: 'admin.access', Edit: 'post.edit' } as const

describe('PermissionSet', () => {
  it('allows what it holds and nothing else [PERM-01 PERM-04]', () => {
    const set = new PermissionSet(['post.edit', 'post.read'])

    assert.equal(set.allows('post.edit'), true)
    assert.equal(set.allows('post.delete'), false)
  })

  it('any() is true when at least one is held [PERM-02]', () => {
    const set = new PermissionSet(['a', 'b'])

    assert.equal(set.any('x', 'b'), true)
    assert.equal(set.any('a'), true)
    assert.equal(set.any('x', 'y'), false)
  })

  it('any() of nothing is false [OPEN-15]', () => {
    assert.equal(new PermissionSet(['a']).any(), false)
  })

  it('all() is true when every one is held [PERM-03]', () => {
    const set = new PermissionSet(['a', 'b', 'c'])

    assert.equal(set.all('a', 'c'), true)
    assert.equal(set.all('a'), true)
    assert.equal(set.all('a', 'x'), false)
    assert.equal(set.all('x'), false)
  })

  it('all() of nothing is refused: a forgotten argument must not grant access [OPEN-15]', () => {
    assert.throws(() => new PermissionSet(['a']).all(), TypeError)
    assert.throws(() => new PermissionSet().all(), TypeError)
  })

  it('accepts a string-valued enum member, when built and when asked [PERM-05]', () => {
    const set = new PermissionSet([Permission.Admin])

    assert.equal(set.allows(Permission.Admin), true)
    assert.equal(set.allows('admin.access'), true)
    assert.equal(set.any(Permission.Edit, Permission.Admin), true)
    assert.equal(set.all(Permission.Edit, Permission.Admin), false)
  })

  it('takes any iterable of names [PERM-04]', () => {
    function* names(): Iterable<string> {
      yield 'a'
      yield 'b'
    }

    for (const given of [new Set(['a', 'b']), ['a', 'b', 'a'], names()])
      assert.equal(new PermissionSet(given).all('a', 'b'), true)
  })

  it('cannot be built with an empty string [PERM-06]', () => {
    assert.throws(() => new PermissionSet(['']), TypeError)
    assert.throws(() => new PermissionSet(['a', '', 'b']), TypeError)
  })

  it('refuses an empty string, even when the set is empty [PERM-07]', () => {
    assert.throws(() => new PermissionSet(['a']).allows(''), TypeError)
    assert.throws(() => new PermissionSet().allows(''), TypeError)
  })

  it('any() and all() refuse an empty string at every position, whatever the others are [PERM-08]', () => {
    const set = new PermissionSet(['a'])

    for (const asked of [[''], ['a', ''], ['', 'a'], ['x', '', 'a']]) {
      assert.throws(() => set.any(...asked), TypeError)
      assert.throws(() => set.all(...asked), TypeError)
    }
  })

  for (const wrong of [undefined, null, 1, true, {}, ['a'], Symbol('a'), new String('a')]) {
    it(`refuses ${typeof wrong} ${String(JSON.stringify(wrong))} as a permission [OPEN-15]`, () => {
      const permission = wrong as unknown as string

      assert.throws(() => new PermissionSet([permission]), TypeError)
      assert.throws(() => new PermissionSet(['a']).allows(permission), TypeError)
      assert.throws(() => new PermissionSet(['a']).any('a', permission), TypeError)
      assert.throws(() => new PermissionSet(['a']).all('a', permission), TypeError)
    })
  }

  it('refuses a string instead of a list: it would hold single letters', () => {
    assert.throws(() => new PermissionSet('admin'), TypeError)
  })

  for (const given of [null, 5, true, {}, () => ['admin']]) {
    it(`refuses ${typeof given} ${String(JSON.stringify(given))} in place of a list, and says what to pass [HOLD-35]`, () => {
      assert.throws(() => new PermissionSet(given as unknown as string[]), {
        name: 'TypeError',
        message: /^Cannot build a permission set from .+: pass a list of names$/,
      })
    })
  }

  it('has no roles: its only members are the three questions [SCOPE-14]', () => {
    assert.deepEqual(Object.getOwnPropertyNames(PermissionSet.prototype).sort(), [
      'all',
      'allows',
      'any',
      'constructor',
    ])
    assert.deepEqual(Object.keys(new PermissionSet(['a'])), [])
  })

  it('a name with a star is that literal name [SCOPE-15]', () => {
    const set = new PermissionSet(['post.*', '*'])

    assert.equal(set.allows('post.*'), true)
    assert.equal(set.allows('*'), true)
    assert.equal(set.allows('post.edit'), false)
    assert.equal(set.allows('post.'), false)
  })

  it('holding one never implies another, whatever the names [SCOPE-16]', () => {
    const set = new PermissionSet(['admin', 'post', 'post.edit', 'Post.Read'])

    for (const name of ['admin.access', 'adm', 'post.edit.own', 'post.read', 'ADMIN', ' admin', 'admin ']) {
      assert.equal(set.allows(name), false, name)
    }
  })

  it('nothing in a set removes what it holds [SCOPE-17]', () => {
    const set = new PermissionSet(['post.edit', '-post.edit', '!post.edit', '~post.edit', 'deny:post.edit'])

    assert.equal(set.allows('post.edit'), true)
  })

  it('does not change with the list it was built from', () => {
    const names = ['a']
    const set = new PermissionSet(names)

    names.push('b')

    assert.equal(set.allows('b'), false)
  })

  it('holds names of object members only when they were given', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'has']) {
      assert.equal(new PermissionSet(['a']).allows(name), false)
      assert.equal(new PermissionSet([name]).allows(name), true)
    }
  })
})

describe('PermissionSet, iterated', () => {
  it('returns its names in order, and another set can be built from it [HOLD-43]', () => {
    const set = new PermissionSet(['b', 'a', 'b'])

    assert.deepEqual([...set], ['b', 'a'])
    assert.deepEqual([...new PermissionSet(set)], ['b', 'a'])
    assert.deepEqual([...new PermissionSet([...set, 'c'])], ['b', 'a', 'c'])
    assert.deepEqual([...new PermissionSet()], [])
  })

  it('exposes nothing that changes it [HOLD-43]', () => {
    const set = new PermissionSet(['a'])
    const names = set[Symbol.iterator]()

    assert.equal(names.next().value, 'a')
    assert.equal('add' in names, false)
    assert.equal(set.allows('a'), true)
  })
})
