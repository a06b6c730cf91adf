import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { catalogues } from '../catalogues.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Language, LANGUAGES } from '../../core/messages/language.ts'

/** What no message says, and why. */
const AVOIDED: Readonly<Record<Language, readonly { readonly words: RegExp; readonly why: string }[]>> = {
  en: [
    { words: /\bdoors?\b|second factor/i, why: 'people know it as the second step' },
    { words: /\be-?mails?\b(?<!email|emails)|\bmails?\b/i, why: 'the word is email' },
    { words: /false site/, why: 'the word is fake' },
    { words: /\b(whoever|somebody|anybody)\b/i, why: 'the glossary says someone, anyone, the account owner' },
    { words: /\blog(ged)? ?(in|out|on)\b/i, why: 'people sign in and sign out' },
  ],
  de: [
    { words: /\bTür(en)?\b|zweite[nmrs]? Faktor/i, why: 'people know it as the second step' },
    { words: /\b(einloggen|ausloggen|eingeloggt|ausgeloggt)\b/i, why: 'people sign in and sign out' },
    { words: /\b(du|dein|deine|deinen|dich|dir)\b/i, why: 'people are addressed politely' },
    { words: /vertraute[nmrs]? Browser|Browser vertraut/i, why: 'a trusted browser is vertrauenswürdig' },
    {
      words: /\bhinter (dem|einem) (Sie|Link)|\bDahinter\b|falsche[nrs]? Seite/,
      why: 'this is translated word by word',
    },
    { words: /"|“[^“]*”/, why: 'German quotation marks are „ and “' },
  ],
}

// Words that are the same in both languages; the empty one is a text of values only.
const ALIKE: ReadonlySet<string> = new Set(['', 'Name', 'UTC', ...Object.keys(ofParts('alike'))])

// So many letters of a heading fit beside the margins of 320 px.
const WIDEST = 20

function textsOf(language: Language): readonly (readonly [string, string])[] {
  const { messages, validation, auth } = catalogues[language]
  return [messages, validation, auth].flatMap((texts) => Object.entries(texts))
}

describe('the words of the messages', () => {
  for (const language of LANGUAGES)
    for (const { words, why } of AVOIDED[language])
      it(`${language}: none has ${String(words)}: ${why} [RA-3101]`, () => {
        const found = textsOf(language).filter(([, text]) => words.test(text))

        assert.deepEqual(found, [])
      })

  it('a word of a heading that is wider than a telephone can be divided where its parts meet [RA-3101]', () => {
    const headings = LANGUAGES.flatMap((language) => textsOf(language)).filter(([id]) =>
      id.endsWith('.title'),
    )
    const parts = headings.flatMap(([id, text]) =>
      text.split(/[\s\u00AD-]+/).map((part) => [id, part] as const),
    )

    assert.ok(parts.length > 100)
    assert.deepEqual(
      parts.filter(([, part]) => part.length > WIDEST),
      [],
    )
  })

  it('none is the same in both languages, except the words that both have [RA-3101]', () => {
    const english = new Map(textsOf('en'))
    const letters = (text: string): string => text.replaceAll(/\{\w+\}/g, '').trim()
    const same = textsOf('de').filter(
      ([id, text]) => english.get(id) === text && id !== 'layout.site' && !ALIKE.has(letters(text)),
    )

    assert.deepEqual(same, [])
  })
})

describe('the words of the buttons', () => {
  it('name what they are for behind a colon, which is right in every language [RA-3101 RA-3103]', () => {
    const views = join(import.meta.dirname, '../../core/views')
    const pattern = /<span class="hidden">(.)/g

    const found = globSync('**/*.edge', { cwd: views }).flatMap((view) =>
      [...readFileSync(join(views, view), 'utf8').matchAll(pattern)]
        .filter(([, first]) => first === ' ')
        .map(() => view),
    )

    assert.deepEqual(found, [])
  })
})
