import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { Translator } from 'sallyport/i18n'
import { CsrfMiddleware } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'
import { View, ViewEngine } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'

import { type Answers, site } from './fixture.ts'

const TEMPLATES = {
  auth: '@if(auth.isAuthenticated)\n{{ auth.principal.name }} {{ auth.allows("a") }}/{{ auth.allows("b") }}\n@else\nanonymous\n@end',
  form: '<input name="{{ csrf.fieldName }}" value="{{ csrf.token }}"><i>{{ csrf.token }}</i>',
  wrong: "<p>\n   {{ $url('hom') }}",
  plain: '<p>{{ name }}</p>',
  links: `{{ $url('home') }} {{ $i18n.locale }} {{ $i18n.t('hello', { name: 'Zoé' }) }} {{ $i18n.t('x', {}, 'fallback') }}`,
  promised: `{{ $i18n.t('hello', { name: later() }) }}`,
  awaited: `{{ $i18n.t('hello', { name: await later() }) }}`,
  reserved:
    '{{ typeof auth.allows }} {{ typeof csrf.token }} {{ typeof $url }} {{ typeof $i18n.t }} {{ typeof csp.nonce }} {{ name }}',
}

describe('the data of a template', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-templates-'))
  for (const [name, text] of Object.entries(TEMPLATES)) writeFileSync(join(directory, `${name}.edge`), text)
  after(() => rmSync(directory, { recursive: true }))

  function client(answers: Answers, csrf = false): TestClient {
    const app = site(answers, {
      locales: ['fr', 'en'],
      middlewares: csrf ? [CsrfMiddleware] : [],
      configure: (configured) =>
        configured.configure((definitions) =>
          definitions
            .set(ViewEngine, new EdgeViewEngine({ directory: pathToFileURL(directory) }))
            .set(Translator, new Translator({ fr: { messages: { hello: 'Bonjour {name}' } } })),
        ),
      module: (module) => module.routes((routes) => void routes.get('/home', 'Pages::answer0').name('home')),
    })
    return new TestClient(app)
  }

  async function body(response: Promise<Response>): Promise<string> {
    return (await (await response).text()).trim()
  }

  it('refuses promises among the data, and among the values of a message [PAGE-08]', async () => {
    const browser = client({
      'GET /': () => new View('plain', { name: Promise.resolve('Ada') }),
      'GET /message': () => new View('promised', { later: () => Promise.resolve('Ada') }),
      'GET /awaited': () => new View('awaited', { later: () => Promise.resolve('Ada') }),
    })

    assert.equal((await browser.get('/')).status, 500)
    assert.equal((await browser.get('/message')).status, 500)
    assert.equal(await body(browser.get('/awaited')), 'Bonjour Ada')
  })

  it('auth of the current request: isAuthenticated, principal and its fields, allows() [AUTH-14]', async () => {
    const browser = client({
      'GET /': (context) => {
        if (context.query() === 'ada') context.auth().authenticate({ name: 'Ada <b>' }, ['a'])
        return new View('auth')
      },
    })

    assert.equal(await body(browser.get('/?ada')), 'Ada &lt;b&gt; true/false')
    assert.equal(await body(browser.get('/')), 'anonymous')
  })

  it('csrf.token and csrf.fieldName of the session [CSRF-09 CSRF-08]', async () => {
    const browser = client({ 'GET /': () => new View('form'), 'POST /': () => 'sent' }, true)

    const page = await body(browser.get('/'))
    const [, token = ''] = /name="_csrf" value="([A-Za-z0-9_-]{86})"/.exec(page) ?? []

    assert.ok(page.includes(`<i>${token}</i>`))
    assert.equal((await browser.post('/', { form: { _csrf: token } })).status, 200)
    assert.equal((await browser.post('/', { form: { _csrf: 'x' } })).status, 403)
  })

  it('a page that never uses the token opens no session [OPEN-05]', async () => {
    const browser = client({
      'GET /plain': () => new View('plain', { name: 'x' }),
      'GET /form': () => new View('form'),
    })

    assert.deepEqual((await browser.get('/plain')).headers.getSetCookie(), [])
    assert.equal((await browser.get('/form')).headers.getSetCookie().length, 1)
  })

  it('data of the same name does not replace a reserved one [AUTH-15 AUTH-16]', async () => {
    const taken = Object.fromEntries(
      ['auth', 'csrf', 'csp', 'flash', '$url', '$i18n'].map((name) => [name, 'mine']),
    )

    const page = await body(
      client({ 'GET /': () => new View('reserved', { ...taken, name: 'ok' }) }).get('/'),
    )

    assert.equal(page, 'function string function function string ok')
  })

  it('a route that does not exist is a 500 that names place and nearest route in development [PAGE-08]', async () => {
    const app = site(
      { 'GET /': () => new View('wrong') },
      {
        configure: (configured) =>
          configured.configure((definitions) =>
            definitions.set(ViewEngine, new EdgeViewEngine({ directory: pathToFileURL(directory) })),
          ),
        module: (module) =>
          module.routes((routes) => void routes.get('/home', 'Pages::answer0').name('home')),
        debug: true,
      },
    )

    const response = await new TestClient(app).get('/')

    assert.equal(response.status, 500)
    const page = await response.text()
    assert.match(page, /Cannot generate a URL for &quot;hom&quot;.*did you mean &quot;home&quot;\?/)
    assert.ok(page.includes(`${join(directory, 'wrong.edge')}:2:7`), page)
  })

  it('URLs and messages of the request’s locale', async () => {
    const browser = client({ 'GET /': () => new View('links') })

    assert.equal(
      await body(browser.get('/', { headers: { 'accept-language': 'fr' } })),
      '/home fr Bonjour Zoé fallback',
    )
    assert.equal(
      await body(browser.get('/', { headers: { 'accept-language': 'en' } })),
      '/home en hello fallback',
    )
  })

  it('escapes the data of the application', async () => {
    assert.equal(
      await body(client({ 'GET /': () => new View('plain', { name: '<script>' }) }).get('/')),
      '<p>&lt;script&gt;</p>',
    )
  })

  it('two concurrent pages show one principal each [AUTH-02]', async () => {
    const gate = Promise.withResolvers<void>()
    const browser = client({
      'GET /': async (context) => {
        context.auth().authenticate({ name: context.query() }, [])
        if (context.query() === 'ada') await gate.promise
        else gate.resolve()
        return new View('auth')
      },
    })

    const [ada, eve] = await Promise.all([body(browser.get('/?ada')), body(browser.get('/?eve'))])

    assert.equal(ada, 'ada false/false')
    assert.equal(eve, 'eve false/false')
  })
})
