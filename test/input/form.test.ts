import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { FetchSource, PayloadTooLargeException } from '../../src/http/index.ts'
import {
  DEFAULT_INPUT_LIMITS,
  type Form,
  InputException,
  type InputLimits,
  parseForm,
} from '../../src/input/index.ts'

const URLENCODED = 'application/x-www-form-urlencoded'

function sourceOf(body: string | FormData, type?: string, bodyBytes = 1_048_576): FetchSource {
  const headers = type === undefined ? {} : { 'content-type': type }
  return new FetchSource(new Request('http://localhost/', { method: 'POST', body, headers }), { bodyBytes })
}

async function formOf(
  body: string | FormData,
  type?: string,
  limits: InputLimits = DEFAULT_INPUT_LIMITS,
): Promise<Form> {
  const form = await parseForm(sourceOf(body, type), limits)
  assert.ok(form !== null)
  return form
}

describe('parseForm() of an urlencoded body', () => {
  for (const type of [URLENCODED, `${URLENCODED}; charset=UTF-8`, ` ${URLENCODED.toUpperCase()} ;x=y`]) {
    it(`reads ${JSON.stringify(type)}`, async () => {
      const form = await formOf('a=1&b=two+words&c=%C3%A9&d=&e', type)

      assert.deepEqual(
        [...form.entries()],
        [
          ['a', ['1']],
          ['b', ['two words']],
          ['c', ['é']],
          ['d', ['']],
          ['e', ['']],
        ],
      )
    })
  }

  it('keeps all values of a name, and says none is the one', async () => {
    const form = await formOf('a=1&b=2&a=3', URLENCODED)

    assert.deepEqual(form.all('a'), ['1', '3'])
    assert.equal(form.text('a'), undefined)
    assert.equal(form.text('b'), '2')
    assert.equal(form.text('c'), undefined)
    assert.deepEqual(form.all('c'), [])
  })

  it('reads names that objects have', async () => {
    const form = await formOf('__proto__=1&constructor=2&toString=3', URLENCODED)

    assert.equal(form.text('__proto__'), '1')
    assert.equal(form.text('hasOwnProperty'), undefined)
    assert.equal([...form.entries()].length, 3)
  })

  it('keeps a question mark before the first name, and leaves what is malformed as the platform does', async () => {
    const form = await formOf('?a=1&b=%zz+%41&c=%ff&%=%&=x&&', URLENCODED)

    assert.deepEqual(
      [...form.entries()],
      [
        ['?a', ['1']],
        ['b', ['%zz A']],
        ['c', ['\ufffd']],
        ['%', ['%']],
        ['', ['x']],
      ],
    )
  })

  it('separates pairs by & only', async () => {
    assert.equal((await formOf('a=1;b=2', URLENCODED)).text('a'), '1;b=2')
  })

  it('R-35: takes as many fields as allowed and answers 413 to one more', async () => {
    const limits = { ...DEFAULT_INPUT_LIMITS, fields: 3 }

    assert.equal([...(await formOf('a&b&c', URLENCODED, limits)).entries()].length, 3)
    await assert.rejects(formOf('a&b&c&d', URLENCODED, limits), PayloadTooLargeException)
    await assert.rejects(formOf('&&&', URLENCODED, limits), PayloadTooLargeException)
  })

  it('R-36: refuses a MiB of fields soon', async () => {
    const body = 'a=&'.repeat(349_000)
    const start = performance.now()

    await assert.rejects(
      async () => parseForm(sourceOf(body, URLENCODED), DEFAULT_INPUT_LIMITS),
      PayloadTooLargeException,
    )

    assert.ok(performance.now() - start < 100)
  })

  it('answers 413 to a body over the limit', async () => {
    await assert.rejects(
      async () => parseForm(sourceOf(`a=${'x'.repeat(100)}`, URLENCODED, 50), DEFAULT_INPUT_LIMITS),
      PayloadTooLargeException,
    )
  })
})

describe('parseForm() of a multipart body', () => {
  it('reads texts and files', async () => {
    const data = new FormData()
    data.append('name', 'Zoé')
    data.append('tag', 'a')
    data.append('tag', 'b')
    data.append('photo', new File([Uint8Array.of(0, 255, 1)], '../../x.png', { type: 'image/png' }))

    const form = await formOf(data)

    assert.equal(form.text('name'), 'Zoé')
    assert.deepEqual(form.all('tag'), ['a', 'b'])
    const [photo] = form.all('photo')
    assert.ok(photo instanceof File)
    assert.deepEqual([...(await photo.bytes())], [0, 255, 1])
    assert.equal(photo.type, 'image/png')
    assert.equal(form.text('photo'), undefined)
  })

  it('leaves the body to whoever reads the request afterwards', async () => {
    const data = new FormData()
    data.append('a', '1')
    const source = sourceOf(data)

    await parseForm(source, DEFAULT_INPUT_LIMITS)

    assert.equal((await source.request().formData()).get('a'), '1')
  })

  for (const [what, type, body] of [
    ['no boundary', 'multipart/form-data', '--x\r\n\r\n--x--'],
    [
      'another boundary',
      'multipart/form-data; boundary=y',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    ],
    ['no end', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      await assert.rejects(async () => parseForm(sourceOf(body, type), DEFAULT_INPUT_LIMITS), InputException)
    })
  }

  it('R-35: answers 413 to more parts than allowed', async () => {
    const data = new FormData()
    for (let i = 0; i < 4; i++) data.append(`f${i}`, 'x')

    await assert.rejects(
      formOf(data, undefined, { ...DEFAULT_INPUT_LIMITS, fields: 3 }),
      PayloadTooLargeException,
    )
    assert.equal(
      [...(await formOf(data, undefined, { ...DEFAULT_INPUT_LIMITS, fields: 4 })).entries()].length,
      4,
    )
  })
})

describe('parseForm() of another body', () => {
  for (const type of [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencodedx',
    'multipart/mixed; boundary=x',
    'text/html, application/x-www-form-urlencoded',
  ]) {
    it(`OVR-04: takes ${type} for no form and does not read it`, async () => {
      const source = sourceOf('_method=DELETE&_csrf=x', type, 1)

      assert.equal(await parseForm(source, DEFAULT_INPUT_LIMITS), null)
    })
  }

  it('takes a request without a type for no form', async () => {
    assert.equal(
      await parseForm(
        new FetchSource(new Request('http://localhost/'), { bodyBytes: 1 }),
        DEFAULT_INPUT_LIMITS,
      ),
      null,
    )
  })
})
