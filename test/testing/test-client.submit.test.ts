import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { HttpContext } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'

import { type Answers, site, type SiteOptions } from '../app/fixture.ts'

const seen = async (context: HttpContext): Promise<readonly string[]> => {
  const target = context.query() === '' ? context.path() : `${context.path()}?${context.query()}`
  return [context.method(), target, await context.request().text()]
}

const html = (body: string): Response => new Response(body, { headers: { 'content-type': 'text/html' } })

// Shows a page at /page/form, and answers every submission with the request that arrived.
const client = (page: string, answers: Answers = {}, options: SiteOptions = {}): TestClient =>
  new TestClient(
    site(
      { 'GET /page/form': () => html(page), 'POST /page/form': seen, 'GET|POST /seen': seen, ...answers },
      options,
    ),
  )

type Arguments = Parameters<TestClient['submit']>

const submitted = async (page: string, fields?: Arguments[1], options?: Arguments[2]): Promise<unknown> =>
  (await client(page).submit('/page/form', fields, options)).json()

const post = (fields: string): string => `<form method="post">${fields}</form>`

const bodyOf = async (fields: string, given?: Arguments[1]): Promise<unknown> =>
  ((await submitted(post(fields), given)) as readonly unknown[])[2]

describe('TestClient.submit()', () => {
  it('sends the CSRF token of the page with its session, and follows the redirect on request', async () => {
    const browser = client(
      '',
      {
        'GET /order': async (context) =>
          html(
            post(
              `<input type="hidden" name="_csrf" value="${await context.csrf().token()}"><input name="item">`,
            ),
          ),
        'POST /order': async (context) =>
          new Response(null, {
            status: 303,
            headers: { location: `/seen?${String((await context.form())?.all('item')[0])}` },
          }),
      },
      { middlewares: [CsrfMiddleware] },
    )

    const response = await browser.submit('/order', { item: 'tea' })
    const followed = await browser.submit('/order', { item: 'tea' }, { follow: true })

    assert.deepEqual([response.status, response.headers.get('location')], [303, '/seen?tea'])
    assert.deepEqual(await followed.json(), ['GET', '/seen?tea', ''])
  })

  it('sends what the page has preset, in its order', async () => {
    const fields = `<input type="hidden" name="_method" value="PUT"><input name="a&amp;b" value="&quot;x&quot; y">
      <input name="empty"><textarea name="text">\n1 &lt; 2\n3</textarea>
      <input type="checkbox" name="on" checked><input type="checkbox" name="off" value="1">
      <input type="radio" name="size" value="s"><input type="radio" name="size" value="m" checked>
      <select name="first"><option> A  B </option><option>C</option></select>
      <select name="chosen"><option>A<option value="c" selected>C</select>
      <select name="several" multiple><option selected>1</option><option>2</option><option selected>3</option></select>
      <input type="reset" name="r" value="1"><button type="button" name="b" value="1">No</button>`

    assert.equal(
      await bodyOf(fields),
      '_method=PUT&a%26b=%22x%22+y&empty=&text=1+%3C+2%0D%0A3&on=on&size=m&first=A+B&chosen=c&several=1&several=3',
    )
  })

  it('leaves out what is disabled or belongs to another form, and takes what names its form', async () => {
    const page = `<input name="before" value="1" form="order"><form id="order" method="post">
      <input name="a" value="1" disabled><fieldset disabled><input name="b" value="1"></fieldset>
      <input name="c" value="1" form="other"><input name="d" value="1"></form><form id="other"></form>`

    assert.deepEqual(await submitted(page, {}, { form: 'order' }), ['POST', '/page/form', 'before=1&d=1'])
  })

  it('replaces a field where it stands: one value, several, or none', async () => {
    const fields = `<input name="a" value="1"><input name="list" value="1"><input name="list" value="2">
      <input type="checkbox" name="on" checked><input name="z" value="1">`

    assert.equal(
      await bodyOf(fields, { a: '2', list: ['x', 'y', 'line\nbreak'], on: [] }),
      'a=2&list=x&list=y&list=line%0D%0Abreak&z=1',
    )
    assert.equal(await bodyOf(fields, { list: 'x' }), 'a=1&list=x&on=on&z=1')
  })

  it('presses the first button, or the one that a field names', async () => {
    const fields = `<button name="do" value="save">Save</button>
      <button name="do" value="delete" formaction="/seen" formmethod="get">Delete</button>`

    assert.deepEqual(await submitted(post(fields)), ['POST', '/page/form', 'do=save'])
    assert.deepEqual(await submitted(post(fields), { do: 'delete' }), ['GET', '/seen?do=delete', ''])
  })

  it('takes method and action of the form; without them a GET of the page itself', async () => {
    const input = '<input name="q" value="1">'

    for (const [form, expected] of [
      [`<form>${input}</form>`, null],
      [`<form action="/seen?old=1#part">${input}</form>`, ['GET', '/seen?q=1', '']],
      [`<form action="../seen?a=1&amp;b=2" method="POST">${input}</form>`, ['POST', '/seen?a=1&b=2', 'q=1']],
    ] as const) {
      const response = await client(form).submit('/page/form')
      if (expected === null) assert.equal(await response.text(), form)
      else assert.deepEqual(await response.json(), expected)
    }
  })

  it('resolves the action against the page that a redirect led to', async () => {
    const browser = client(post('<input name="a">'), {
      'GET /start': () => new Response(null, { status: 302, headers: { location: '/page/form' } }),
    })

    assert.deepEqual(await (await browser.submit('/start', { a: '1' })).json(), ['POST', '/page/form', 'a=1'])
  })

  it('sends files where the encoding of the form says so, their names elsewhere', async () => {
    const fields = '<input type="file" name="picture"><input type="file" name="none"><input name="title">'
    const given = { picture: new File(['GIF'], 'a "b".gif', { type: 'image/gif' }), title: 'x\ny' }

    const multipart = await submitted(
      `<form method="post" enctype="multipart/form-data">${fields}</form>`,
      given,
    )
    const [, , body = ''] = multipart as readonly string[]

    assert.deepEqual(body.split(/--\S+\r\n/).slice(1, -1), [
      'Content-Disposition: form-data; name="picture"; filename="a %22b%22.gif"\r\nContent-Type: image/gif\r\n\r\nGIF\r\n',
      'Content-Disposition: form-data; name="none"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n',
      'Content-Disposition: form-data; name="title"\r\n\r\nx\r\ny\r\n',
    ])
    assert.equal(await bodyOf(fields, given), 'picture=a+%22b%22.gif&none=&title=x%0D%0Ay')
  })

  it('finds a form by its id, its name or its action', async () => {
    const page = ['id="one"', 'name="two"', 'action="/seen?three"']
      .map((attribute, i) => `<form method="post" ${attribute}><input name="n" value="${i}"></form>`)
      .join('')

    for (const [i, form] of ['one', 'two', '/seen?three'].entries())
      assert.deepEqual(((await submitted(page, {}, { form })) as readonly string[])[2], `n=${i}`)
  })

  it('reads forms as a browser does: none in a comment, a script or a text field', async () => {
    const page = `<!-- <form id="a"> --><script>"<form id='b'>"</script><title><form id="c"></title>
      <FORM METHOD=post><textarea name=t><form id="d"></textarea></FORM>`

    assert.deepEqual(await submitted(page, { t: '1' }), ['POST', '/page/form', 't=1'])
  })

  for (const [what, page, fields, options, message] of [
    ['no form', '<p>Hello</p>', {}, {}, /page "\/page\/form", which responded with 200, has none/],
    ['several', '<form id="a"></form><form action="/b"></form>', {}, {}, /has several: a, \/b\. Choose one/],
    ['no such form', '<form id="a"></form>', {}, { form: 'b' }, /form "b".* has 0 of them among a/],
    ['no such field', post('<input name="email">'), { emial: 'x' }, {}, /"emial".*"\/page\/form" has email/],
    [
      'a disabled field',
      post('<input name="email" disabled>'),
      { email: 'x' },
      {},
      /"email".* has no fields/,
    ],
    [
      'another origin',
      '<form action="https://other.test/x"></form>',
      {},
      {},
      /leads to "https:\/\/other\.test\/x"/,
    ],
    ['a dialog', '<form method="dialog"></form>', {}, {}, /its method is dialog/],
  ] as const) {
    it(`says what is wrong: ${what}`, async () => {
      await assert.rejects(client(page).submit('/page/form', fields, options), { name: 'Error', message })
    })
  }
})

describe('TestClient, multipart', () => {
  it('sends a file without a name and without bytes as a file, like an empty file input', async () => {
    const browser = client('', {
      'POST /file': async (context) => {
        const file = (await context.form())?.all('file')[0]
        return file instanceof File ? [file.name, file.size, file.type] : file
      },
    })

    const response = await browser.post('/file', { multipart: { file: new File([], '') } })

    assert.deepEqual(await response.json(), ['', 0, 'application/octet-stream'])
  })

  it('sends a name as often as its list says, strings and files', async () => {
    const browser = client('', {
      'POST /file': async (context) => {
        const form = await context.form()
        const of = (name: string): string[] =>
          (form?.all(name) ?? []).map((value) => (value instanceof File ? value.name : value))
        return [of('photos'), of('tag'), of('none')]
      },
    })
    const photos = [new File(['1'], 'one.png'), new File(['2'], 'two.png')]

    const response = await browser.post('/file', { multipart: { photos, tag: ['a', 'b'], none: [] } })

    assert.deepEqual(await response.json(), [['one.png', 'two.png'], ['a', 'b'], []])
  })
})

describe('TestClient, a body in pieces', () => {
  const reading = (): TestClient =>
    client('', { 'POST /file': async (context) => `${(await context.request().text()).length}` })

  it('arrives piece by piece, strings and bytes, without a length', async () => {
    async function* body(): AsyncGenerator<string | Uint8Array> {
      yield 'Ünal'
      await new Promise((resolve) => setTimeout(resolve, 20))
      yield Buffer.from('!')
    }

    assert.equal(await (await reading().post('/file', { body: body() })).text(), '5')
    assert.equal(
      await (await reading().post('/file', { body: ReadableStream.from(['ab', 'c']) })).text(),
      '3',
    )
  })

  it('is a client that leaves, when it throws', async () => {
    async function* body(): AsyncGenerator<string> {
      yield 'half'
      throw new Error('The connection is gone')
    }

    const response = await reading().post('/file', { body: body() })

    assert.equal(response.status, 400)
  })
})
