import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Translator } from '../../src/i18n/index.ts'

const translator = new Translator({
  fr: {
    messages: { hello: 'Bonjour {name}', items: '{n, plural, =0 {rien} one {# article} other {# articles}}' },
  },
  'FR-ca': { messages: { hello: 'Allô {name}' } },
  en: {
    messages: { plain: "It's <b>{n}</b>", broken: 'half {' },
    auth: { invalid_credentials: 'Invalid credentials' },
  },
})

describe('Translator', () => {
  for (const [locale, request, text] of [
    ['fr', { id: 'hello', values: { name: 'Zoé' } }, 'Bonjour Zoé'],
    ['fr-CA', { id: 'hello', values: { name: 'Zoé' } }, 'Allô Zoé'],
    ['fr-ca', { id: 'items', values: { n: 2 } }, '2 articles'],
    ['fr', { id: 'items', values: { n: 0 } }, 'rien'],
    ['en', { id: 'plain', values: { n: 5 } }, "It's <b>5</b>"],
    ['en', { id: 'invalid_credentials', domain: 'auth' }, 'Invalid credentials'],
    ['fr', { id: 'invalid_credentials', domain: 'auth', fallback: 'Non' }, 'Non'],
    ['de', { id: 'hello' }, 'hello'],
    ['en', { id: 'x', fallback: 'Hi {name}', values: { name: 'A' } }, 'Hi A'],
    ['en', { id: 'toString' }, 'toString'],
    ['__proto__', { id: 'hello' }, 'hello'],
  ] as const) {
    it(`writes ${JSON.stringify(request)} in ${locale}`, () => {
      assert.equal(translator.translate(locale, request), text)
    })
  }

  it('keeps what values hold: nothing of them is read as a message', () => {
    assert.equal(translator.translate('fr', { id: 'hello', values: { name: '{n} <i>' } }), 'Bonjour {n} <i>')
  })

  for (const fallback of ['must contain a {', 'expected "{" but got }', 'Hello {name}', "it's {"]) {
    it(`gives the fallback ${JSON.stringify(fallback)} as it is when it cannot be formatted: it may be a library’s text`, () => {
      assert.equal(translator.translate('en', { id: 'nothing', fallback }), fallback)
    })
  }

  it('refuses a message of the catalogue that is none, or whose value is missing', () => {
    assert.throws(() => translator.translate('en', { id: 'broken' }))
    assert.throws(() => translator.translate('fr', { id: 'hello' }))
  })
})
