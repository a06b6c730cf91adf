import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, type RouteFinding } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import { ViewEngine } from 'sallyport/view'

import { Templates } from '../../view/fixture.ts'

type Catalogues = ConstructorParameters<typeof Translator>[0]

async function findings(
  files: Readonly<Record<string, string>>,
  catalogues: Catalogues,
  locales: readonly string[] = ['en', 'fr'],
): Promise<readonly RouteFinding[]> {
  const templates = new Templates(files)
  const app = App.create({ locales }).configure((definitions) =>
    definitions.set(ViewEngine, templates.engine()).set(Translator, new Translator(catalogues)),
  )
  await app.boot()
  const { findings: found } = (await app.inspection()).audit()
  const folder = templates.path('').replace('.edge', '')
  return found.map((finding) => ({ ...finding, message: finding.message.replace(folder, '') }))
}

async function messagesAbout(...given: Parameters<typeof findings>): Promise<readonly string[]> {
  return (await findings(...given)).map(({ severity, code, message }) => `${severity} ${code} ${message}`)
}

describe('Inspection.audit() about messages', () => {
  it('finds ids in templates that no locale has, with place and the nearest', async () => {
    const page = `<h1>{{ $i18n.t('hello') }}</h1>
@if(true)
  <p>{{ $i18n.t("helo", { name: 'a, b' }) }}
  {{ $url('x') }} {{ [1].map((n) => $i18n.t(\`other\`, { n }).length) }}</p>
@end
`
    const catalogue = { messages: { hello: 'Hello' } }
    const found = await findings({ page }, { en: catalogue, fr: catalogue })

    assert.deepEqual(
      found
        .filter(({ code }) => code === 'unknown-message')
        .map(({ severity, message }) => [severity, message]),
      [
        ['fault', 'no locale has the message "helo"; did you mean "hello"? (page.edge:3:9)'],
        ['fault', 'no locale has the message "other" (page.edge:4:37)'],
      ],
    )
  })

  it('takes the fallback for the message of the locales that lack it', async () => {
    const page = `{{ $i18n.t('none', {}, 'Nothing') }} {{ $i18n.t('half', { a: [1, 2] }, "Half") }}`

    assert.deepEqual(
      await messagesAbout(
        { page },
        { en: { messages: { a: 'A' } }, fr: { messages: { a: 'A', half: 'Demi' } } },
      ),
      [
        'note missing-message en lacks the message "half" of the domain "messages", which fr has (page.edge:1:41)',
      ],
    )
  })

  it('finds ids that one locale has and another lacks, of templates as faults and of code as notes', async () => {
    const page = `{{ $i18n.t('title') }}`
    const en = {
      messages: { title: 'Title', sent: 'Sent' },
      validation: { required: 'Fill in', short: 'Short' },
    }
    const fr = {
      messages: { merci: 'Merci' },
      validation: { required: 'Obligatoire' },
      own: { only: 'Seul' },
    }

    assert.deepEqual(await messagesAbout({ page }, { en, fr, de: en }, ['en', 'fr', 'de']), [
      'fault missing-message fr lacks the message "title" of the domain "messages", which en, de have (page.edge:1:4)',
      'note missing-message fr lacks the message "sent" of the domain "messages", which en, de have',
      'note missing-message en, de lack the message "merci" of the domain "messages", which fr has',
      'note missing-message fr lacks the message "short" of the domain "validation", which en, de have',
    ])
  })

  it('knows the locales that another one falls back to, and leaves those out that have no messages', async () => {
    const page = `{{ $i18n.t('a') }} {{ $i18n.t('b') }}`
    const catalogues = {
      fr: { messages: { a: 'A', b: 'B' } },
      'fr-CA': { messages: { b: 'BB' } },
      de: { messages: {} },
    }

    assert.deepEqual(await messagesAbout({ page }, catalogues, ['en', 'de', 'fr', 'fr-CA']), [])
    assert.deepEqual(await messagesAbout({ page }, {}), [])
  })

  it('leaves out what is computed, shown or no call of $i18n', async () => {
    const page = `{{ $i18n.t('error.' + 1) }} {{ $i18n.t(\`x\${1}\`) }} @{{ $i18n.t('x') }} {{-- $i18n.t('x') --}}
{{ my$i18n.t('x') }} {{ other.$i18n.t('x') }} $i18n.t('x')`

    assert.deepEqual(await messagesAbout({ page }, { en: { messages: { a: 'A' } } }, ['en']), [])
  })
})

describe('Translator.catalogue()', () => {
  it('has the messages of a locale and of those that it falls back to', () => {
    const translator = new Translator({
      fr: { messages: { a: 'A', b: 'B' }, own: { c: 'C' } },
      'fr-CA': { messages: { b: 'BB' } },
    })

    assert.deepEqual(translator.catalogue('FR-ca'), { messages: { a: 'A', b: 'BB' }, own: { c: 'C' } })
    assert.deepEqual(translator.catalogue('en'), {})
  })
})
