import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type Actions, param, TrailingSlash } from 'sallyport/routing'

import { ask, conventional, module, PageController, router, site, table } from '../fixture.ts'

const REMOVE = { trailingSlash: TrailingSlash.Remove }

/** Each way to write the hexadecimal digits of a byte. */
function spellings(byte: number): readonly string[] {
  const [first = '', second = ''] = byte.toString(16).padStart(2, '0')
  const ways = [first, first.toUpperCase()].flatMap((one) => [one + second, one + second.toUpperCase()])
  return [...new Set(ways)].map((digits) => `%${digits}`)
}

describe('the spelling of an escape', () => {
  const app = site((routes) => routes.get('/{slug}', [PageController, 'show']), REMOVE)

  it('is one for each character: a small digit in either place, or a needless escape, is a redirect [R-52]', () => {
    const text = Array.from({ length: 0x7ff }, (_, index) => String.fromCodePoint(index + 1)).join('')
    for (const character of text.replaceAll(/[\p{Cc}/]/gu, '')) {
      const canonical = encodeURIComponent(character)
      const [first = 0, second] = Buffer.from(character)
      const written = spellings(first).flatMap((one) =>
        second === undefined ? [one] : spellings(second).map((two) => one + two),
      )
      for (const escape of written) {
        const expected =
          escape === canonical
            ? `Site PageController.show(${JSON.stringify(`x${character}`)})`
            : `-> /x${canonical}`
        assert.equal(ask(app, `/x${escape}`), expected)
      }
    }
  })

  it('redirects a locale with %EF%Bb%BF behind it, of which one digit alone is small [R-52]', () => {
    const home = table((routes) => routes.get('/{slug}', [PageController, 'show']))
    const modules = [module('Site', { mount: '/', localized: true, convention: false, steps: [home] })]
    const localized = router(modules, { ...REMOVE, locales: ['en', 'fr'], localePrefixes: true })

    assert.equal(ask(localized, '/fr/%EF%Bb%BF'), '-> /fr/%EF%BB%BF')
    assert.equal(ask(localized, '/fr/%EF%bB%BF'), '-> /fr/%EF%BB%BF')
  })
})

describe('the letter case of a URL', () => {
  class KelvinController {
    static readonly actions: Actions<KelvinController> = { index: [], askKelvin: [param.string('it')] }
    index(): void {}
    askKelvin(_it: string): void {}
  }
  const modules = [
    conventional('Kiosk', [KelvinController], { mount: 'kiosk', localized: true }),
    conventional('Site', [KelvinController], { mount: '/' }),
  ]
  const app = router(modules, { ...REMOVE, locales: ['sk', 'en'], localePrefixes: true })

  it('is folded in ASCII, in locales, mounts, controllers and actions [HOLD-37]', () => {
    assert.equal(ask(app, '/SK/KIOSK/KELVIN/ASKKELVIN/K'), '-> /sk/kiosk/kelvin/ask-kelvin/K')
    assert.equal(ask(app, '/KELVIN'), '-> /kelvin')
  })

  for (const path of [
    '/%E2%84%AAelvin',
    '/\u212aelvin',
    '/sk/%E2%84%AAiosk/kelvin',
    '/sk/kio%C5%BFk/kelvin',
    '/s%E2%84%AA/kiosk/kelvin',
    '/sk/kiosk/%E2%84%AAelvin',
    '/sk/kiosk/kelvin/ask%E2%84%AAelvin/x',
    '/k\u0131osk',
    '/k\u0130osk',
  ]) {
    it(`has no other case for the letters of ${path} [HOLD-37]`, () => {
      assert.equal(ask(app, path), '404')
    })
  }
})
