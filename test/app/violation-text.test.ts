import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

const Line = z.object({ product: z.string().min(2) })
const SCHEMAS = {
  zod: z.object({ name: z.string().min(8), lines: z.array(Line).optional() }),
  valibot: v.object({ name: v.pipe(v.string(), v.minLength(8)) }),
  arktype: type({ name: 'string >= 8' }),
}

const GERMAN = {
  too_short: 'Mindestens {minimum, plural, one {# Zeichen} other {# Zeichen}}',
  required: 'Pflichtfeld',
  'lines.product.too_short': 'Ein Produkt hat {minimum} Zeichen',
}

function clientOf(schema: (typeof SCHEMAS)[keyof typeof SCHEMAS], messages: Record<string, string> = GERMAN) {
  class NameController extends Controller {
    static readonly actions = {
      formPost: [form(schema)],
      inputPost: [input(schema)],
    } satisfies Actions<NameController>

    formPost(form: Submitted<unknown>): object {
      return form.ok ? { ok: true } : { texts: form.violations.map(({ field }) => form.error(field)) }
    }

    inputPost(_fields: unknown): string {
      return 'accepted'
    }
  }
  const app = App.create({ debug: false, locales: ['en', 'de'] })
    .modules(defineModule('Site', (module) => module.mount('/').controllers(NameController)))
    .configure((definitions) => definitions.set(Translator, new Translator({ de: { validation: messages } })))
  return async (language: string, fields: object): Promise<unknown> => {
    const headers = { 'accept-language': language, accept: 'application/json' }
    const client = new TestClient(app)
    const shown = (await (await client.post('/name/form', { json: fields, headers })).json()) as {
      texts: unknown
    }
    const refused = await (await client.post('/name/input', { json: fields, headers })).json()
    const { violations } = refused as { violations: { fallback: string }[] }
    assert.deepEqual(
      violations.map(({ fallback }) => fallback),
      shown.texts,
    )
    return shown.texts
  }
}

describe('the text of a violation', () => {
  for (const [library, schema] of Object.entries(SCHEMAS)) {
    it(`is the catalogue's with the parameters of the schema, else English: ${library} [PAGE-03]`, async () => {
      const texts = clientOf(schema)

      assert.deepEqual(await texts('de', { name: 'abc' }), ['Mindestens 8 Zeichen'])
      assert.deepEqual(await texts('de', { name: '' }), ['Pflichtfeld'])
      assert.deepEqual(await texts('en', { name: 'abc' }), ['Use at least 8 characters'])
      assert.deepEqual(await texts('en', { name: '' }), ['This field is required'])
    })
  }

  it('is that of the field where the catalogue has one, at every position of a list [PAGE-03]', async () => {
    const fields = { name: 'long enough', lines: [{ product: 'tea' }, { product: 'x' }] }

    assert.deepEqual(await clientOf(SCHEMAS.zod)('de', fields), ['Ein Produkt hat 2 Zeichen'])
  })

  it('is that of the library’s own code where the catalogue has nothing more exact [PAGE-03]', async () => {
    const texts = clientOf(SCHEMAS.valibot, { min_length: 'Zu kurz, {minimum} sind nötig' })

    assert.deepEqual(await texts('de', { name: 'abc' }), ['Zu kurz, 8 sind nötig'])
  })

  it('is the English one where the message of the catalogue is broken [PAGE-03]', async () => {
    const texts = clientOf(SCHEMAS.zod, { too_short: 'Mindestens {missing}' })

    assert.deepEqual(await texts('de', { name: 'abc' }), ['Use at least 8 characters'])
  })
})
