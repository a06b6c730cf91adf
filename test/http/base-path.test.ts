import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App } from 'sallyport'
import { belowBasePath, isBelow } from '../../src/http/internal.ts'

describe('App.default({ basePath })', () => {
  it('takes plain segments, each behind a slash [MEND-12]', () => {
    for (const basePath of ['/accounts', '/apps/accounts', '/v2/my-app'])
      assert.equal(App.default({ basePath }).basePath, basePath)
    assert.equal(App.create().basePath, '')
  })

  const malformed = [
    '',
    '/',
    'accounts',
    '/accounts/',
    '//accounts',
    '/a//b',
    '/A',
    '/a b',
    '/a%20',
    '/a.b',
    '/ä',
  ]
  for (const basePath of [
    ...malformed,
    '/-a',
    '/a-',
    '/a/..',
    '/a?b',
    'https://example.com/accounts',
    7,
    null,
  ]) {
    it(`refuses ${JSON.stringify(basePath)} [MEND-12]`, () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const options = { basePath } as unknown as { basePath: string }

      assert.throws(() => App.default(options), { name: 'TypeError', message: /as the base path/ })
      assert.throws(() => App.create(options), TypeError)
    })
  }
})

describe('belowBasePath()', () => {
  const targets = [
    ['/accounts', '/accounts'],
    ['/accounts?a=/b', '/accounts?a=/b'],
    ['/accounts/', '/accounts/'],
    ['/accounts/notes', '/accounts/notes'],
    ['/', '/accounts/'],
    ['/?a=/accounts', '/accounts/?a=/accounts'],
    ['/notes', '/accounts/notes'],
    ['/accountsx', '/accounts/accountsx'],
    ['/Accounts', '/accounts/Accounts'],
    ['/%61ccounts', '/accounts/%61ccounts'],
  ] as const
  for (const [sent, seen] of targets) {
    it(`takes ${sent} for ${seen} [MEND-12]`, () => {
      assert.equal(belowBasePath(sent, '/accounts'), seen)
      assert.equal(belowBasePath(sent, ''), sent)
      assert.equal(isBelow(seen, '/accounts'), true)
    })
  }

  it('leaves alone what is not a path, so that it is refused [MEND-12]', () => {
    for (const target of ['//evil.test/', '*', '', 'http://app.test/accounts'])
      assert.equal(belowBasePath(target, '/accounts'), target)
  })
})
