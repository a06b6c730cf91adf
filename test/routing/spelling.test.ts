import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { TrailingSlash } from 'sallyport/routing'
import { type SpelledEntry, Spelling } from '../../src/routing/spelling.ts'
import { parsePath } from '../../src/routing/url-path.ts'

const ROOT: SpelledEntry = { locale: 'fr', path: [], prefix: ['fr'], base: '/fr' }
const ENGLISH: SpelledEntry = { locale: 'en', path: [], prefix: ['en'], base: '/en' }
const SHOP: SpelledEntry = {
  locale: 'fr',
  path: ['boutique'],
  prefix: ['fr', 'boutique'],
  base: '/fr/boutique',
}

function spelling(trailingSlash: TrailingSlash, localePrefixes = true): Spelling {
  return new Spelling({ locales: ['fr', 'en'], localePrefixes, trailingSlash })
}

function respelled(policy: TrailingSlash, sent: string, rest: readonly string[]): string | null {
  const path = parsePath(sent)
  assert.ok(path !== null && path !== 'malformed')
  return spelling(policy).respelled(path, SHOP, rest)
}

describe('Spelling.path()', () => {
  for (const [policy, home, english, shop, item] of [
    ['add', '/', '/en/', '/fr/boutique/', '/fr/boutique/the%20vert/'],
    ['remove', '/', '/en', '/fr/boutique', '/fr/boutique/the%20vert'],
    ['preserve', '/', '/en', '/fr/boutique', '/fr/boutique/the%20vert/'],
  ] as const) {
    it(`writes the home page as "/" and other URLs by the policy ${policy}`, () => {
      const own = spelling(policy)

      assert.equal(own.path(ROOT, [], false), home)
      assert.equal(own.path(ENGLISH, [], false), english)
      assert.equal(own.path(SHOP, [], false), shop)
      assert.equal(own.path(SHOP, ['the vert'], true), item)
    })
  }

  it('leaves the segments of a pattern as they are', () => {
    assert.equal(spelling('remove').pattern(SHOP, ['{slug}', 'ä'], true), '/fr/boutique/{slug}/ä')
  })
})

describe('Spelling.respelled()', () => {
  it('is null for a URL in its canonical spelling', () => {
    assert.equal(respelled('remove', '/fr/boutique/a', ['a']), null)
    assert.equal(respelled('add', '/fr/boutique/a/', ['a']), null)
    assert.equal(respelled('preserve', '/fr/boutique/a/', ['a']), null)
    assert.equal(respelled('preserve', '/fr/boutique/%61', ['a']), null)
  })

  it('is the path of a URL in any other spelling', () => {
    assert.equal(respelled('remove', '/fr/boutique/a/', ['a']), '/fr/boutique/a')
    assert.equal(respelled('remove', '/fr/boutique/%61', ['a']), '/fr/boutique/a')
    assert.equal(respelled('add', '/FR/boutique/a/', ['a']), '/fr/boutique/a/')
    assert.equal(respelled('preserve', '/fr/Boutique/a/', ['a']), '/fr/boutique/a/')
  })
})

describe('Spelling.answersIn()', () => {
  it('keeps the path of a locale to the URLs of that locale, where prefixes tell them apart', () => {
    const prefixed = spelling('remove')
    const plain = spelling('remove', false)

    assert.deepEqual([prefixed.answersIn('fr', 'fr'), prefixed.answersIn('fr', 'en')], [true, false])
    assert.deepEqual([prefixed.answersIn(null, 'en'), prefixed.answersIn('fr', null)], [true, false])
    assert.deepEqual([plain.answersIn('fr', 'en'), plain.answersIn('fr', null)], [true, true])
  })

  it('differs from sharing URLs where one of the paths serves all locales', () => {
    assert.equal(spelling('remove').shareUrls('fr', null), true)
    assert.equal(spelling('remove').shareUrls('fr', 'en'), false)
  })
})
