import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { InputException } from '../../src/input/index.ts'
import { type MultipartField, parseMultipart } from '../../src/input/multipart.ts'
import { MultipartReader } from '../../src/input/multipart-reader.ts'

const TYPE = 'multipart/form-data; boundary=b'

function parse(body: string, type = TYPE): readonly MultipartField[] {
  return parseMultipart(Buffer.from(body, 'latin1'), type, 1000)
}

function part(head: string, content = '1'): string {
  return `--b\r\n${head}\r\n\r\n${content}\r\n--b--\r\n`
}

const NAMED = 'Content-Disposition: form-data; name='

describe('parseMultipart()', () => {
  it('parses what a platform writes, whatever the names and values [HOLD-07]', async () => {
    const character = fc.oneof(
      fc.constantFrom('"', '\\', '%', '=', ';', '-', '--b', '\t', ' ', 'é', '😀'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    )
    const text = fc.array(character, { maxLength: 8 }).map((parts) => parts.join(''))
    // What browsers write as %0A, %0D and %22 cannot be told from what was typed so.
    const name = text.map((given) =>
      given
        .toWellFormed()
        .replaceAll(/\p{Cc}|%(?=0[ad]|22)/giu, '')
        .replace(/\\+$/, ''),
    )
    const value = fc.oneof(
      text.map((given) => given.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n')),
      fc.uint8Array({ maxLength: 40 }),
    )

    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (fields) => {
        const data = new FormData()
        for (const [key, given] of fields) {
          if (typeof given === 'string') data.append(key, given)
          else data.append(key, new File([Uint8Array.from(given)], `f${key}`, { type: 'image/png' }))
        }
        const request = new Request('http://localhost/', { method: 'POST', body: data })
        // A backslash before a quote is an escape for one reader and none for another.
        if (fields.some(([key]) => key.includes('\\"'))) return

        const read = parseMultipart(await request.bytes(), request.headers.get('content-type') ?? '', 10)

        assert.deepEqual(
          await Promise.all(
            read.map(async ([key, found]) => [key, typeof found === 'string' ? found : await found.bytes()]),
          ),
          fields.map(([key, given]) => [key, typeof given === 'string' ? given : Uint8Array.from(given)]),
        )
      }),
      { numRuns: 1000 },
    )
  })

  for (const [what, body] of [
    ['a part without a name', part('Content-Disposition: form-data')],
    ['a part without a disposition', part('Content-Type: text/plain')],
    ['a part without a head', '--b\r\n\r\n1\r\n--b--\r\n'],
    ['a part of another disposition', part('Content-Disposition: attachment; name="a"')],
    ['two dispositions', part(`${NAMED}"a"\r\n${NAMED}"b"`)],
    [
      'two dispositions, both the same, in other letters',
      part(`${NAMED}"a"\r\ncontent-disposition: form-data; name="a"`),
    ],
    ['two names', part(`${NAMED}"a"; name="b"`)],
    ['two names in other letters', part(`${NAMED}"a"; NAME=b`)],
    ['two file names', part(`${NAMED}"a"; filename=x; filename=y`)],
    ['two types', part(`${NAMED}"a"\r\nContent-Type: a/b\r\nContent-Type: c/d`)],
    ['a NUL in a name', part(`${NAMED}"a\0b"`)],
    ['a tab in a name', part(`${NAMED}"a\x01b"`)],
    ['a DEL in a name', part(`${NAMED}"a\x7fb"`)],
    ['a line feed in a name', part(`${NAMED}"a\nb"`)],
    ['a carriage return in a name', part(`${NAMED}"a\rb"`)],
    ['a line break in a name', part(`${NAMED}"a\r\n b"`)],
    ['an escaped line break in a name', part(`${NAMED}"a%0d%0Ab"`)],
    ['a NUL in a file name', part(`${NAMED}"a"; filename="x\0.png"`)],
    [
      'a line feed in another header',
      part(`${NAMED}"a"\r\nX-A: b\nContent-Disposition: form-data; name="b"`),
    ],
    ['a folded header', part(`${NAMED}"a"\r\n ; filename="x"`)],
    ['a header without a colon', part(`${NAMED}"a"\r\nx`)],
    ['a header without a name', part(`${NAMED}"a"\r\n: x`)],
    ['a blank before the colon', part('Content-Disposition : form-data; name="a"')],
    ['a file name in pieces', part(`${NAMED}"a"; filename*0="x"; filename*1=".png"`)],
    ['a file name in extended pieces', part(`${NAMED}"a"; filename*0*=UTF-8''x`)],
    ['an extended file name of another charset', part(`${NAMED}"a"; filename*=iso-8859-1''%e9`)],
    ['an extended file name that is not UTF-8', part(`${NAMED}"a"; filename*=utf-8''%e9`)],
    ['an extended file name without a charset', part(`${NAMED}"a"; filename*=x.png`)],
    ['an extended file name with a NUL', part(`${NAMED}"a"; filename*=utf-8''x%00.png`)],
    ['two extended file names', part(`${NAMED}"a"; filename*=utf-8''x; FILENAME*=utf-8''x`)],
    ['an encoded file name of another charset', part(`${NAMED}"a"; filename="=?iso-8859-1?Q?=E9?="`)],
    ['an encoded file name that is not UTF-8', part(`${NAMED}"a"; filename="=?utf-8?Q?=E9?="`)],
    ['an encoded file name that is not base64', part(`${NAMED}"a"; filename="=?utf-8?B?4oK*?="`)],
    ['an encoded file name of another kind', part(`${NAMED}"a"; filename="=?utf-8?X?x?="`)],
    ['an encoded file name with a line break', part(`${NAMED}"a"; filename="=?utf-8?Q?a=0Ab?="`)],
    ['two semicolons at the end', part(`${NAMED}"a";;`)],
    ['an open quote', part(`${NAMED}"a`)],
    ['something behind a quote', part(`${NAMED}"a"b`)],
    ['something behind a boundary', `--b1\r\n${NAMED}"a"\r\n\r\n1\r\n--b--\r\n`],
    ['something before the first boundary', `x\r\n${part(`${NAMED}"a"`)}`],
    ['a boundary inside of a text', `--b\r\n${NAMED}"a"\r\n\r\n1\r\n--bc\r\n--b--\r\n`],
    ['a head over 8 KiB', part(`${NAMED}"a"\r\nX-A: ${'x'.repeat(8200)}`)],
    ['no end', `--b\r\n${NAMED}"a"\r\n\r\n1`],
    ['no end of the last boundary', `--b\r\n${NAMED}"a"\r\n\r\n1\r\n--b`],
  ] as const) {
    it(`refuses ${what} [HOLD-07 MEND-11]`, () => {
      assert.throws(() => parse(body), InputException)
    })
  }

  for (const [type, isRead] of [
    ['multipart/form-data; boundary="b"', true],
    ['multipart/form-data; x=y; Boundary = b', true],
    ['multipart/form-data', false],
    ['multipart/form-data; boundary=', false],
    ['multipart/form-data; boundary=b; boundary=b', false],
    ['multipart/form-data; boundary="b "', false],
    [`multipart/form-data; boundary=${'b'.repeat(71)}`, false],
    ['multipart/form-data; boundary=b\u00e9', false],
  ] as const) {
    it(`${isRead ? 'reads' : 'refuses'} ${JSON.stringify(type.slice(0, 60))}`, () => {
      const read = (): unknown => parse(part(`${NAMED}"a"`), type)

      if (isRead) assert.deepEqual(read(), [['a', '1']])
      else assert.throws(read, InputException)
    })
  }

  for (const [head, name] of [
    [`${NAMED}a`, 'a'],
    ['content-disposition:FORM-DATA;NAME="a"', 'a'],
    [`${NAMED}""`, ''],
    [`${NAMED}"a\\"b"`, 'a"b'],
    [`${NAMED}"a%22b"`, 'a"b'],
    [`${NAMED}"a\\b"`, 'a\\b'],
    [`${NAMED}"a;b=c"`, 'a;b=c'],
    [`${NAMED}"a"; x*=UTF-8''y`, 'a'],
  ] as const) {
    it(`reads ${head}`, () => {
      assert.deepEqual(parse(part(head)), [[name, '1']])
    })
  }

  for (const [parameters, filename] of [
    ['filename=x.png', 'x.png'],
    ['filename="x.png";', 'x.png'],
    ['filename="x.png" ; ', 'x.png'],
    ["filename*=UTF-8''%e2%82%ac.png", '€.png'],
    ["FileName*=utf-8'de'x.png;", 'x.png'],
    [`filename*="utf-8''x.png"`, 'x.png'],
    [`filename="_.png"; filename*=utf-8''%C3%A9.png`, 'é.png'],
    [`filename*=utf-8''%C3%A9.png; filename="=?utf-8?B?w6kucG5n?="`, 'é.png'],
    ['filename="=?utf-8?B?w6kucG5n?="', 'é.png'],
    ['filename="=?UTF-8?Q?=C3=A9_a.png?="', 'é a.png'],
    ['filename="=?utf-8?b?w6ku?= =?utf-8?q?png?="', 'é.png'],
    ['filename="=?utf-8?B?w6ku?=png"', '=?utf-8?B?w6ku?=png'],
    ['filename="=?.png"', '=?.png'],
    [`filename*=utf-8''`, ''],
    ['filename=""', ''],
  ] as const) {
    it(`is a file, read at once or part by part: ${parameters} [MEND-11]`, async () => {
      const body = part(`${NAMED}"a"; ${parameters}`)

      for (const [[name, file] = []] of [parse(body), await partByPart(body)]) {
        assert.equal(name, 'a')
        assert.ok(file instanceof File)
        assert.deepEqual([file.name, await file.text()], [filename, '1'])
      }
    })
  }

  it('never makes a text of a part that names a file in any way [MEND-11]', () => {
    const written = fc.constantFrom(
      'x',
      '"x"',
      '"=?utf-8?B?eA==?="',
      '"=?x?B?eA==?="',
      "utf-8''x",
      "x''%",
      '""',
    )
    const name = fc.constantFrom(
      'filename',
      'FILENAME',
      'filename*',
      'filename*0',
      'filename*0*',
      'FileName*1',
    )
    const parameter = fc.tuple(name, written).map(([key, value]) => `; ${key}=${value}`)

    fc.assert(
      fc.property(
        fc.array(parameter, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', ';'),
        (all, end) => {
          try {
            assert.ok(parse(part(`${NAMED}"a"${all.join('')}${end}`))[0]?.[1] instanceof File)
          } catch (error) {
            assert.ok(error instanceof InputException, String(error))
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('reads names of fields that .NET encodes, and a semicolon at the end [MEND-11]', () => {
    assert.deepEqual(parse(part(`${NAMED}"=?utf-8?B?w6k=?=";`)), [['é', '1']])
  })

  it('accepts blanks after a boundary, an empty string, and anything after the last boundary', () => {
    assert.deepEqual(parse(`--b \t\r\n${NAMED}"a"\r\n\r\n\r\n--b--x\r\n--b\r\n`), [['a', '']])
    assert.deepEqual(parse('--b--'), [])
  })
})

describe('text around the parts', () => {
  // A server in front may take a form that begins in a preamble for another one, so that its rules are passed.
  for (const [title, before] of [
    ['a preamble', 'This is a multi-part message in MIME format.\r\n'],
    ['a line break', '\r\n'],
    ['a part with another boundary', `--a\r\n${NAMED}"x"\r\n\r\n1\r\n--a--\r\n`],
  ] as const) {
    it(`${title} before the first boundary is refused, whether read at once or part by part [HOLD-07]`, async () => {
      const body = before + part(`${NAMED}"a"`)

      assert.throws(() => parse(body), InputException)
      await assert.rejects(partByPart(body), InputException)
    })
  }

  it('an epilogue means nothing [HOLD-07]', async () => {
    const body = `${part(`${NAMED}"a"`)}Goodbye\r\n${part(`${NAMED}"b"`)}`

    assert.deepEqual(parse(body), [['a', '1']])
    assert.deepEqual(await partByPart(body), [['a', '1']])
  })
})

function partByPart(body: string): Promise<readonly (readonly [string, string | File])[]> {
  const chunks = ReadableStream.from(Array.from(body, (character) => Buffer.from(character, 'latin1')))
  return new MultipartReader(chunks, TYPE, { fields: 1000, textBytes: 1000 }).whole()
}
