import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { Translator } from '../../src/i18n/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const translator = new Translator({
  fr: {
    messages: { hello: 'Bonjour {name}', items: '{n, plural, =0 {rien} one {# article} other {# articles}}' },
  },
  'FR-ca': { messages: { hello: 'Allô {name}' } },
  en: {
    messages: { plain: "It's <b>{n}</b>", broken: 'half {', date: '{day, date}' },
    auth: { invalid_credentials: 'Invalid credentials', greeting: 'Hello {user}' },
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

  it('keeps values unchanged: nothing in them is parsed as a message', () => {
    assert.equal(translator.translate('fr', { id: 'hello', values: { name: '{n} <i>' } }), 'Bonjour {n} <i>')
  })

  for (const fallback of ['must contain a {', 'expected "{" but got }', 'Hello {name}', "it's {"]) {
    it(`returns the fallback ${JSON.stringify(fallback)} unchanged when it cannot be formatted: it may come from a library`, () => {
      assert.equal(translator.translate('en', { id: 'nothing', fallback }), fallback)
    })
  }

  for (const [what, locale, request, facts] of [
    ['an invalid message', 'en', { id: 'broken' }, ['"broken"', '"messages"', '"en"', 'ICU MessageFormat']],
    ['a message without a value', 'fr', { id: 'hello' }, ['"hello"', '"fr"', '"name"']],
    ['one with other values', 'fr-CA', { id: 'hello', values: { n: 1 } }, ['"hello"', '"fr-CA"', '"name"']],
    ['one of a domain', 'en', { id: 'greeting', domain: 'auth' }, ['"greeting"', '"auth"', '"user"']],
    ['a plural without its number', 'fr', { id: 'items', values: {} }, ['"items"', '"n"']],
    ['an invalid date', 'en', { id: 'date', values: { day: 'x' } }, ['"date"']],
  ] as const) {
    it(`refuses ${what}, and names what is wrong: ${facts.join(', ')}`, () => {
      assert.throws(
        () => translator.translate(locale, request),
        (error) => {
          assert.ok(error instanceof Error && error.cause instanceof Error)
          for (const fact of facts) assert.ok(error.message.includes(fact), error.message)
          return true
        },
      )
    })
  }

  for (const [what, turns, pattern] of [
    ['many short ones', 10_000, (i: number) => `${i}: {n, plural, one {#} other {# {a}}}`],
    ['long ones', 300, (i: number) => `${'{a}'.repeat(3000)}${i}`],
    ['very long ones', 50, (i: number) => `${'{a}'.repeat(20_000)}${i}`],
  ] as const) {
    it(`keeps a bounded number of bytes of fallbacks that contain data: ${what} [HOLD-58]`, () => {
      const busy = new Translator()
      const write = (i: number): string =>
        busy.translate('en', { id: 'x', fallback: pattern(i), values: { a: '', n: 1 } })
      write(-1)
      const before = heapBytes()

      for (let i = 0; i < turns; i++) write(i)

      const kept = heapBytes() - before
      assert.ok(kept < 40 * 1024 * 1024, `${kept} bytes`)
      assert.ok(write(7).startsWith(what === 'many short ones' ? '7: 1' : '7'))
    })
  }

  it('keeps a bounded number of bytes for undeclared locales [HOLD-58]', () => {
    const before = heapBytes()

    for (let i = 0; i < 5000; i++)
      translator.translate(`fr-x-${i.toString(36)}`, { id: 'hello', values: { name: 'Zoé' } })

    const kept = heapBytes() - before
    assert.ok(kept < 20 * 1024 * 1024, `${kept} bytes`)
  })
})

function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
