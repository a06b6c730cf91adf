import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { FetchSource } from '../../src/http/internal.ts'
import { PayloadTooLargeException, UnsupportedMediaTypeException } from '../../src/http/index.ts'
import { timesAsMuch } from '../reliability/growth.ts'
import { DEFAULT_INPUT_LIMITS, type InputLimits, parseForm } from '../../src/input/internal.ts'
import { type Form, InputException } from '../../src/input/index.ts'

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

  it('keeps all values of a name, and returns none as the value', async () => {
    const form = await formOf('a=1&b=2&a=3', URLENCODED)

    assert.deepEqual(form.all('a'), ['1', '3'])
    assert.equal(form.text('a'), undefined)
    assert.equal(form.text('b'), '2')
    assert.equal(form.text('c'), undefined)
    assert.deepEqual(form.all('c'), [])
  })

  it('reads names of object members', async () => {
    const form = await formOf('__proto__=1&constructor=2&toString=3', URLENCODED)

    assert.equal(form.text('__proto__'), '1')
    assert.equal(form.text('hasOwnProperty'), undefined)
    assert.equal([...form.entries()].length, 3)
  })

  it('keeps a question mark before the first name, and a malformed escape like the platform', async () => {
    const form = await formOf('?a=1&b=%zz+%41&c=%c3%A9%+%4&%=%&=x&&', URLENCODED)

    assert.deepEqual(
      [...form.entries()],
      [
        ['?a', ['1']],
        ['b', ['%zz A']],
        ['c', ['é% %4']],
        ['%', ['%']],
        ['', ['x']],
      ],
    )
  })

  it('separates pairs only by &', async () => {
    assert.equal((await formOf('a=1;b=2', URLENCODED)).text('a'), '1;b=2')
  })

  it('accepts as many fields as allowed and responds with 413 to one more [R-35]', async () => {
    const limits = { ...DEFAULT_INPUT_LIMITS, fields: 3 }

    assert.equal([...(await formOf('a&b&c', URLENCODED, limits)).entries()].length, 3)
    await assert.rejects(formOf('a&b&c&d', URLENCODED, limits), PayloadTooLargeException)
    await assert.rejects(formOf('&&&', URLENCODED, limits), PayloadTooLargeException)
  })

  it('refuses a MiB of fields without reading them [R-36]', async () => {
    const body = 'a=&'.repeat(349_000)
    const one = 'a'.repeat(body.length)

    const factor = await timesAsMuch(
      () => assert.rejects(formOf(body, URLENCODED, DEFAULT_INPUT_LIMITS), PayloadTooLargeException),
      () => formOf(one, URLENCODED, DEFAULT_INPUT_LIMITS),
      3,
    )

    assert.ok(factor <= 3, `${factor}`)
  })

  it('answers 413 to a body over the limit', async () => {
    await assert.rejects(
      async () => parseForm(sourceOf(`a=${'x'.repeat(100)}`, URLENCODED, 50), DEFAULT_INPUT_LIMITS),
      PayloadTooLargeException,
    )
  })
})

describe('parseForm() of a multipart body', () => {
  it('reads strings and files', async () => {
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

  it('leaves the body to later readers of the request', async () => {
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

  it('answers 413 to more parts than allowed [R-35]', async () => {
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

/** One part: its header lines, and its content as bytes. */
function part(lines: readonly string[], content: string | Uint8Array = '1'): Buffer {
  const head = Buffer.from(['--b', ...lines, '', ''].join('\r\n'), 'latin1')
  return Buffer.concat([head, Buffer.from(content as string), Buffer.from('\r\n')])
}

function multipart(...parts: readonly Buffer[]): string {
  return Buffer.concat([...parts, Buffer.from('--b--\r\n')]).toString('latin1')
}

function bytesOf(body: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(body, (character) => character.charCodeAt(0))
}

/** A form of which each character is one byte. */
function formOfBytes(body: string, headers: Record<string, string>): Promise<Form | null> {
  const request = new Request('http://localhost/', { method: 'POST', body: bytesOf(body), headers })
  return (async () => parseForm(new FetchSource(request, { bodyBytes: 1_048_576 }), DEFAULT_INPUT_LIMITS))()
}

const MULTIPART = 'multipart/form-data; boundary=b'
const A = 'Content-Disposition: form-data; name="a"'
const TEXT = 'Content-Type: text/plain; charset='

describe('parseForm() of bytes that are not text', () => {
  for (const [what, body] of [
    ['a raw byte', 'a=\xff'],
    ['a raw byte in a name', '\xe9=1'],
    ['a truncated character', 'a=\xc3'],
    ['a truncated character before an escape', 'a=\xc3%A9'],
    ['an escaped byte', 'a=%ff'],
    ['an escaped byte in a name', 'a%E9=1'],
    ['an escaped byte next to a malformed escape', 'a=%zz%ff'],
    ['an overlong slash', 'a=%c0%af'],
    ['a surrogate', 'a=%ed%a0%80'],
    ['a character above U+10FFFF', 'a=%f4%90%80%80'],
    ['a character cut by the pair', 'a=%c3&b=%a9'],
  ] as const) {
    it(`answers 400 to ${what} of an urlencoded form [HOLD-07]`, async () => {
      await assert.rejects(formOfBytes(body, { 'content-type': URLENCODED }), InputException)
    })
  }

  for (const [what, body] of [
    ['a string', multipart(part([A], Uint8Array.of(0xff)))],
    ['a name', multipart(part(['Content-Disposition: form-data; name="\xe9"']))],
    ['a file name', multipart(part([`${A}; filename="\xe9"`]))],
    ['another header', multipart(part([A, 'X-A: \xe9']))],
  ] as const) {
    it(`answers 400 to ${what} of a multipart form [HOLD-07]`, async () => {
      await assert.rejects(formOfBytes(body, { 'content-type': MULTIPART }), InputException)
    })
  }

  it('accepts UTF-8, and the bytes of a file unchanged [HOLD-07]', async () => {
    const file = Uint8Array.of(0xff, 0x00, 0xfe, 0x0d, 0x0a)
    const name = Buffer.from('Content-Disposition: form-data; name="é"').toString('latin1')
    const form = await formOfBytes(
      multipart(part([name], '\ufeffé€😀'), part([`${A}; filename=x`, `${TEXT}latin1`], file)),
      { 'content-type': MULTIPART },
    )
    const [sent] = form?.all('a') ?? []

    assert.equal(form?.text('é'), '\ufeffé€😀')
    assert.ok(sent instanceof File)
    assert.deepEqual([sent.type, sent.name, await sent.bytes()], ['text/plain', 'x', file])
    const escaped = await formOfBytes('a%C3%A9=%F0%9F%98%80+\xc3\xa9', { 'content-type': URLENCODED })
    assert.equal(escaped?.text('aé'), '😀 é')
  })

  for (const charset of ['utf-8', 'UTF8', '"utf-8"', ' Utf-8 ', 'us-ascii', '"ut\\f-8"']) {
    it(`reads a form that is declared as ${charset} [HOLD-07]`, async () => {
      const text = multipart(part([A, TEXT + charset]))
      for (const [type, body] of [
        [`${URLENCODED}; charset=${charset}`, 'a=1'],
        [`${MULTIPART}; Charset=${charset}`, text],
      ] as const) {
        assert.equal((await formOfBytes(body, { 'content-type': type }))?.text('a'), '1')
      }
    })
  }

  for (const charset of [
    'iso-8859-1',
    '"UTF-16"',
    '',
    'utf-7',
    'utf-8; charset=latin1',
    'x; charset=utf-8',
    'utf-8, x',
  ]) {
    it(`answers 415 to a form that is declared as ${JSON.stringify(charset)} [HOLD-07]`, async () => {
      for (const [type, body] of [
        [`${URLENCODED}; x="; charset=utf-8"; charset=${charset}`, 'a=1'],
        [`${MULTIPART}; charset=${charset}`, multipart(part([A]))],
        [MULTIPART, multipart(part([A, TEXT + charset]))],
      ] as const) {
        await assert.rejects(formOfBytes(body, { 'content-type': type }), UnsupportedMediaTypeException)
      }
    })
  }

  for (const [coding, isRead] of [
    ['gzip', false],
    ['identity, gzip', false],
    ['br', false],
    ['identity', true],
    ['Identity', true],
    ['', true],
  ] as const) {
    it(`${isRead ? 'reads' : 'answers 415 to'} a form of content encoding ${JSON.stringify(coding)} [HOLD-07]`, async () => {
      for (const [type, body] of [
        [URLENCODED, 'a=1'],
        [MULTIPART, multipart(part([A]))],
      ] as const) {
        const form = formOfBytes(body, { 'content-type': type, 'content-encoding': coding })
        if (isRead) assert.equal((await form)?.text('a'), '1')
        else await assert.rejects(form, UnsupportedMediaTypeException)
      }
    })
  }

  it('answers 415 to a part that is encoded [HOLD-07]', async () => {
    for (const line of ['Content-Transfer-Encoding: base64', 'Content-Encoding: gzip']) {
      const form = formOfBytes(multipart(part([A, line])), { 'content-type': MULTIPART })
      await assert.rejects(form, UnsupportedMediaTypeException)
    }
    const plain = multipart(part([A, 'Content-Transfer-Encoding: 8BIT']))
    assert.equal((await formOfBytes(plain, { 'content-type': MULTIPART }))?.text('a'), '1')
  })
})

describe('parseForm() of a field with an empty name', () => {
  for (const [what, body, type] of [
    ['urlencoded', '=x&a=1', URLENCODED],
    [
      'multipart',
      multipart(part(['Content-Disposition: form-data; name=""'], 'x'), part([A], '1')),
      MULTIPART,
    ],
  ] as const) {
    it(`keeps it in a ${what} body, like the platform [HOLD-07]`, async () => {
      const form = await formOfBytes(body, { 'content-type': type })

      assert.deepEqual(form?.all(''), ['x'])
      assert.equal(form?.text('a'), '1')
    })
  }
})

describe('parseForm() of another body', () => {
  for (const type of [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencodedx',
    'multipart/mixed; boundary=x',
    'text/html, application/x-www-form-urlencoded',
  ]) {
    it(`treats ${type} as no form and does not read it [OVR-04]`, async () => {
      const source = sourceOf('_method=DELETE&_csrf=x', type, 1)

      assert.equal(await parseForm(source, DEFAULT_INPUT_LIMITS), null)
    })
  }

  it('treats a request without a type as no form', async () => {
    assert.equal(
      await parseForm(
        new FetchSource(new Request('http://localhost/'), { bodyBytes: 1 }),
        DEFAULT_INPUT_LIMITS,
      ),
      null,
    )
  })
})
