import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Locales } from '../../src/i18n/index.ts'
import { growthAtDouble, MAX_AT_DOUBLE_SIZE, timesAsMuch } from '../reliability/growth.ts'

const locales = new Locales(['fr', 'en', 'pt-BR', 'de', 'zh-Hant'])

describe('Locales', () => {
  it('uses the first as the default and spells all as they were declared [OPEN-40 HOLD-31]', () => {
    assert.equal(locales.default, 'fr')
    assert.deepEqual(locales.declared, ['fr', 'en', 'pt-BR', 'de', 'zh-Hant'])
    assert.equal(new Locales([]).default, 'en')
  })

  for (const [tag, found] of [
    ['fr', 'fr'],
    ['FR', 'fr'],
    ['pt-BR', 'pt-BR'],
    ['PT-br', 'pt-BR'],
    ['pt', undefined],
    ['fr-ca', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
    ['\u212ar', undefined],
  ] as const) {
    it(`finds ${String(found)} for ${JSON.stringify(tag)} [OPEN-40]`, () => {
      assert.equal(locales.find(tag), found)
    })
  }

  for (const tags of [
    ['fr', 'FR'],
    ['tl', 'fil'],
    ['he', 'en', 'iw'],
    ['x'],
    [''],
    ['fr_FR'],
    ['fr/x'],
    ['*'],
    ['..'],
  ]) {
    it(`refuses ${JSON.stringify(tags)} [OPEN-40]`, () => {
      assert.throws(() => new Locales(tags), RangeError)
    })
  }

  for (const [header, locale] of [
    [null, 'fr'],
    ['', 'fr'],
    ['*', 'fr'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['de-AT, en;q=0.9', 'de'],
    ['en;q=0.5, de;q=0.9', 'de'],
    ['nl, sv', 'fr'],
    ['nl, en;q=0.1', 'en'],
    ['en;q=0, de', 'de'],
    ['pt-BR', 'pt-BR'],
    ['zh-TW', 'zh-Hant'],
    ['garbage;;;q=x', 'fr'],
    ['en-\u00e9', 'fr'],
    ['__proto__, constructor', 'fr'],
    [`${'a'.repeat(600)},en`, 'fr'],
  ] as const) {
    it(`answers ${locale} for ${header === null ? 'no header' : JSON.stringify(header.slice(0, 40))}`, () => {
      assert.equal(locales.negotiate(header), locale)
      assert.equal(locales.negotiate(header), locale)
    })
  }

  // Tags that are canonicalized into others: only the declared one is ever an answer.
  for (const tag of ['tl', 'iw', 'in', 'mo', 'sh', 'art-lojban', 'fr-be', 'SR-latn-rs']) {
    it(`returns ${tag}, as it was declared, for it and for its canonical form [HOLD-31]`, () => {
      const declared = new Locales(['de', tag])
      const [canonical = ''] = Intl.getCanonicalLocales(tag)

      for (const header of [tag, canonical, tag.toUpperCase()]) assert.equal(declared.negotiate(header), tag)
      assert.equal(declared.find(tag.toUpperCase()), tag)
      assert.equal(new Locales([tag, 'de']).negotiate('nl'), tag)
      assert.equal(new Locales([tag]).negotiate('nl'), tag)
    })
  }

  it('reads headers in time proportional to their length and number [R-36]', async () => {
    let asked = 0
    // Another header each time: none may be slow because many were asked for before.
    const ask = (tags: number, times: number): void => {
      for (let time = 0; time < times; time++) {
        const k = asked++
        const header = Array.from({ length: tags }, (_, i) =>
          String.fromCharCode(97 + ((i + k) % 26), 97 + ((i * 7 + Math.floor(k / 26)) % 26)),
        ).join(',')
        assert.ok(locales.declared.includes(locales.negotiate(header)))
      }
    }
    ask(170, 20)

    const byLength = await growthAtDouble({ short: () => ask(21, 10), long: () => ask(168, 10) })
    const byNumber = await growthAtDouble({ short: () => ask(170, 10), long: () => ask(170, 80) })

    assert.ok(byLength <= MAX_AT_DOUBLE_SIZE, `${byLength}`)
    assert.ok(byNumber <= MAX_AT_DOUBLE_SIZE, `${byNumber}`)
    // Only the first tags are matched, however many there are.
    const factor = await timesAsMuch(
      () => ask(170, 1),
      () => ask(10, 1),
      2.5,
    )
    assert.ok(factor <= 2.5, `${factor}`)
  })
})

describe('Locales.negotiate() with a long list', () => {
  it('reads the ten languages that the client prefers most, in whatever order they come', () => {
    const locales = new Locales(['en', 'fr'])
    const others = ['ja', 'ko', 'zh', 'th', 'vi', 'hi', 'bn', 'ta', 'te', 'fa']

    assert.equal(locales.negotiate([...others.slice(1), 'fr'].join(',')), 'fr')
    assert.equal(locales.negotiate([...others, 'fr'].join(',')), 'en')
    assert.equal(locales.negotiate([...others.map((tag) => `${tag};q=0.5`), 'fr'].join(',')), 'fr')
  })
})
