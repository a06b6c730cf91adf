import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { App, Controller, defineModule } from 'sallyport'
import { blankForm, ShownForm, type Submitted, Violation } from 'sallyport/input'
import { Translator } from 'sallyport/i18n'
import { type Actions, form } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import { ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { z } from 'zod'

const Order = z.object({
  email: z.email('Enter an <e-mail> address'),
  password: z.string().min(12),
  likes: z.array(z.string()).max(1, 'Choose one'),
  note: z.string().max(3, 'Shorter, please'),
})

const PAGE = `
<input type="email" {{ form.attributes('email', { describedBy: 'hint' }) }}>{{ form.message('email') }}
<input type="password" {{ form.attributes('password') }}>{{ form.message('password') }}
<input type="checkbox" {{ form.attributes('likes[]', { value: 'Tea & cake' }) }}>
<input type="checkbox" {{ form.attributes('likes[]', { value: 'Nuts' }) }}>{{ form.message('likes[]') }}
<select {{ form.attributes('drink', { value: null }) }}><option{{ form.has('drink', 'Tea') ? ' selected' : '' }}></select>
<textarea {{ form.attributes('note', { value: null, id: 'my-note' }) }}>{{ form.value('note') }}</textarea>
{{ form.message('note', { id: 'my-note' }) }}
{{ form.message() }}{{ form.message('nothing') }}<input {{ form.attributes('both', { invalid: form.error() !== '', describedBy: 'form-error' }) }}>
<output>{{ form.error() }}|{{ form.values('likes').join() }}|{{ form.value('constructor') }}{{ form.error('constructor') }}</output>
`

describe('a form in a template', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-forms-'))
  writeFileSync(join(directory, 'order.edge'), PAGE)
  writeFileSync(join(directory, 'part.edge'), "@!component('field', { form, name: 'email' })")
  writeFileSync(join(directory, 'field.edge'), '<input {{ form.attributes(name) }}>{{ form.message(name) }}')
  after(() => rmSync(directory, { recursive: true }))

  class OrderController extends Controller {
    static readonly actions = {
      index: [],
      indexPost: [form(Order)],
      partPost: [form(Order)],
    } satisfies Actions<OrderController>

    index() {
      return this.view('order', { form: blankForm({ note: '"' }) })
    }

    indexPost(form: Submitted<typeof Order>) {
      if (!form.ok) return this.view('order', { form }, { status: 422 })
      if (form.value.email !== 'x@example.com') return 'ordered'
      const refused = form.refuse({ field: null, code: 'not_x', fallback: 'Not x' })
      return this.view('order', { form: refused }, { status: 422 })
    }

    partPost(form: Submitted<typeof Order>) {
      return this.view('part', { form })
    }
  }
  const app = App.create({ debug: false, locales: ['en', 'de'] })
    .modules(defineModule('Shop', (module) => module.mount('/').controllers(OrderController)))
    .configure((definitions) =>
      definitions
        .set(ViewEngine, new EdgeViewEngine({ directory: pathToFileURL(directory) }))
        .set(
          Translator,
          new Translator({ de: { validation: { invalid_email: 'Keine <gültige> Adresse' } } }),
        ),
    )
  const client = new TestClient(app)

  it('is written before anything was submitted, without messages and with what it holds at first [PAGE-02]', async () => {
    const page = await (await client.get('/order')).text()

    assert.match(page, /<input type="email" name="email" id="email" aria-describedby="hint">\n/)
    assert.match(page, /<input type="password" name="password" id="password">\n/)
    assert.match(page, /<textarea name="note" id="my-note">&quot;<\/textarea>/)
    assert.match(page, /<output>\|\|<\/output>/)
    assert.doesNotMatch(page, /aria-invalid|class="error"|checked/)
  })

  it('is written again with what was typed and each message beside its field, by one line a field [PAGE-02]', async () => {
    const fields = {
      email: '"><script>',
      password: 'hunter2',
      'likes[]': ['', 'Tea & cake', 'Nuts'],
      note: '</textarea>',
      drink: 'Tea',
    }

    const response = await client.post('/order', { form: fields })

    const page = await response.text()
    assert.equal(response.status, 422)
    assert.ok(
      page.includes(
        '<input type="email" name="email" id="email" value="&quot;&gt;&lt;script&gt;" aria-invalid="true" ' +
          'aria-describedby="hint email-error"><p class="error" id="email-error">Enter an &lt;e-mail&gt; address</p>',
      ),
      page,
    )
    assert.ok(
      page.includes(
        '<input type="password" name="password" id="password" aria-invalid="true" aria-describedby="password-error">',
      ),
    )
    assert.ok(
      page.includes(
        'name="likes[]" id="likes-Tea-cake" value="Tea &amp; cake" checked aria-invalid="true" aria-describedby="likes-error">',
      ),
    )
    assert.ok(page.includes('<p class="error" id="likes-error">Choose one</p>'))
    assert.ok(page.includes('<option selected>'))
    assert.ok(
      page.includes(
        'id="my-note" aria-invalid="true" aria-describedby="my-note-error">&lt;/textarea&gt;</textarea>',
      ),
    )
    assert.ok(page.includes('<p class="error" id="my-note-error">Shorter, please</p>'))
    assert.ok(page.includes('<output>|Tea &amp; cake,Nuts|</output>'))
    assert.doesNotMatch(page, /hunter2|<script>/)
  })

  it('has a message about the form as a whole, and no field is wrong by it unless the page says so [PAGE-02]', async () => {
    const fields = { email: 'x@example.com', password: 'correct horse', note: '', 'likes[]': '' }

    const page = await (await client.post('/order', { form: fields })).text()

    assert.match(page, /<output>Not x\|/)
    assert.match(page, /<p class="error" id="form-error" role="alert">Not x<\/p>/)
    assert.deepEqual(page.match(/<[^>]*aria-invalid[^>]*>/g), [
      '<input name="both" id="both" aria-invalid="true" aria-describedby="form-error">',
    ])
  })

  it('can be given to a component [PAGE-02]', async () => {
    const page = await (await client.post('/order/part', { form: { email: 'ada@' } })).text()

    assert.match(
      page,
      /<input name="email" id="email" value="ada@" aria-invalid="true"[^>]*><p class="error"/,
    )
  })
})

describe('an element of a form', () => {
  const violation = (field: string | null): Violation =>
    new Violation({ field, code: 'x', fallback: `Wrong ${String(field)}` })

  it('is an alert for the form as a whole only: a field names its message by aria-describedby [PAGE-02]', () => {
    const form = new ShownForm({}, [violation('email'), violation('name'), violation(null)])

    const messages = [form.message('email'), form.message('name'), form.message()].join('')

    assert.equal(messages.match(/role=/g)?.length, 1)
    assert.match(messages, /<p class="error" id="form-error" role="alert">Wrong null<\/p>$/)
    assert.match(String(form.attributes('email')), /aria-describedby="email-error"/)
  })

  it('has the id that is given, a choice too, and names the message of its field [PAGE-02]', () => {
    const blank = blankForm({ likes: ['x'] })
    const wrong = new ShownForm({}, [violation('likes')])

    assert.equal(
      String(blank.attributes('likes[]', { value: 'x', id: 'q' })),
      'name="likes[]" id="q" value="x" checked',
    )
    assert.equal(
      String(wrong.attributes('likes[]', { value: 'x', id: 'q' })),
      'name="likes[]" id="q" value="x" aria-invalid="true" aria-describedby="q-error likes-error"',
    )
    assert.equal(
      String(wrong.attributes('likes', { id: 'q' })),
      'name="likes" id="q" aria-invalid="true" aria-describedby="q-error"',
    )
  })

  it('refuses an option that it does not know [PAGE-02]', () => {
    const form = blankForm()
    const misspelled: object = { vlaue: 'x' }

    assert.throws(() => form.attributes('likes', misspelled), {
      name: 'TypeError',
      message: /^Cannot use the option "vlaue" of attributes\("likes"\): the options are "value", "id", /,
    })
    assert.throws(() => form.message('likes', misspelled), {
      name: 'TypeError',
      message: /^Cannot use the option "vlaue" of message\("likes"\): the options are "id"/,
    })
  })
})
