import assert from 'node:assert/strict'
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, type HttpContext } from 'sallyport'
import { type } from 'arktype'
import { Authorization, Cookies, HttpException, LocalTarget, PayloadTooLargeException } from 'sallyport/http'
import { ValidationException } from 'sallyport/input'
import { type Actions, input, param } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'
import * as v from 'valibot'
import { z } from 'zod'

import { FetchSource, findCookie } from '../../src/http/internal.ts'
import { prefersJson } from '../../src/http/index.ts'
import { Locales } from '../../src/i18n/index.ts'
import { judgePreconditions } from '../../src/files/precondition.ts'
import { parseRanges } from '../../src/files/byte-range.ts'
import {
  DEFAULT_INPUT_LIMITS,
  type InputLimits,
  labelOf,
  parseForm,
  SecretNames,
  validateInput,
} from '../../src/input/internal.ts'
import { ShownForm, type StandardSchema, Violation } from '../../src/input/index.ts'
import { parseUrlEncoded } from '../../src/input/form.ts'
import { parseJson } from '../../src/input/json-body.ts'
import { TrustedProxies } from '../../src/node/trusted-proxies.ts'
import { MAX_PATH_LENGTH } from '../../src/routing/url-path.ts'
import { parseRecord } from '../../src/session/redis-record.ts'
import { site } from '../app/fixture.ts'
import { figure, sized } from './figure.ts'
import { GOAL_AT_DOUBLE_SIZE, growthAtDouble, MAX_AT_DOUBLE_SIZE } from './growth.ts'

/** A parser, and texts of any length that are hard for it. */
interface Subject {
  readonly parse: (text: string) => unknown
  /** Given the length in characters; roughly kept. */
  readonly texts: Readonly<Record<string, (length: number) => string>>
  /** The length of the shorter texts. The longer ones, of eight times that, are to be read still. Default: 32 KiB. */
  readonly short?: number
}

const KIB = 1024
const SHORT = 32 * KIB
// Marks that normalizing has to put in order.
const MARKS = 'a\u0316\u0301'
const UNLIMITED: InputLimits = { fields: 2 ** 30, jsonDepth: 2 ** 30 }
const MULTIPART = 'multipart/form-data; boundary=b'

const filled =
  (piece: string, before = '', after = '') =>
  (length: number): string =>
    before + piece.repeat(Math.ceil((length - before.length - after.length) / piece.length)) + after
const object = (prefix: string): string =>
  `{${Array.from({ length: 500 }, (_, i) => `"${prefix}${i}":1`).join()}}`
const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`
const named = 'Content-Disposition: form-data; name="a"'

function formSource(body: string, type: string): FetchSource {
  const init = { method: 'POST', headers: { 'content-type': type }, body: Buffer.from(body, 'latin1') }
  return new FetchSource(new Request('http://app.test/', init), { bodyBytes: 2 ** 30 })
}

const proxies = {
  x: new TrustedProxies({ addresses: ['0.0.0.0/0'] }),
  rfc: new TrustedProxies({ addresses: ['0.0.0.0/0'], header: 'forwarded' }),
}
const locales = new Locales(['en', 'fr', 'de-CH', 'zh-Hant-TW'])
const encoder = new TextEncoder()

class PathController extends Controller {
  static readonly actions = {
    one: [param.string('p')],
    rest: [param.string('p')],
  } satisfies Actions<PathController>

  one(_p: string): null {
    return null
  }

  rest(_p: string): null {
    return null
  }
}

const application = await App.create()
  .modules(
    defineModule('Site', (module) =>
      module.mount('/').routes((routes) => {
        routes.get('/a/{p}', [PathController, 'one'])
        routes.get('/f/{p}', [PathController, 'rest']).where('p', '.*')
      }),
    ),
  )
  .boot()

const subjects: Readonly<Record<string, Subject>> = {
  query: {
    parse: (text) => parseUrlEncoded(text, UNLIMITED),
    texts: {
      'of empty pairs': filled('&'),
      'of one name': filled('a=1&'),
      'of escapes': filled('%41'),
      'of broken escapes': filled('%'),
      'of equals signs': filled('='),
    },
  },
  form: {
    parse: (text) => parseForm(formSource(text, 'application/x-www-form-urlencoded'), UNLIMITED),
    texts: {
      'of one name': filled('a=1&'),
      'of a thousand names': (length) =>
        Array.from({ length: 1000 }, (_, i) => `n${i}=${'1'.repeat(length / 1000 - 5)}`).join('&'),
      'of one value': filled('+', 'a='),
    },
  },
  multipart: {
    parse: (text) => Promise.resolve(parseForm(formSource(text, MULTIPART), UNLIMITED)).catch(refused),
    texts: {
      'of small parts': filled(part(named, '1'), '', '--b--\r\n'),
      'of one part': filled('x', `--b\r\n${named}\r\n\r\n`, '\r\n--b--\r\n'),
      'of beginnings of boundaries': filled('\r\n--', `--b\r\n${named}\r\n\r\n`, '\r\n--b--\r\n'),
      'of line breaks': filled('\r\n', `--b\r\n${named}\r\n\r\n`, '--b--\r\n'),
      'of headers': filled('A: b\r\n', `--b\r\n${named}\r\n`, '\r\n\r\n1\r\n--b--\r\n'),
      'of parameters': filled('; a=b', `--b\r\n${named}`, '\r\n\r\n1\r\n--b--\r\n'),
      'of quotes': filled('\\"', `--b\r\n${named}; filename="`, '"\r\n\r\n1\r\n--b--\r\n'),
      'without an end': filled('x', `--b\r\n${named}\r\n\r\n`),
      'without a beginning': filled('--'),
    },
  },
  JSON: {
    parse: (text) => parsed(() => parseJson(encoder.encode(text), UNLIMITED)),
    texts: {
      'of elements': filled('1,', '[', '1]'),
      'of objects': (length) => `[${filled(`${object('k')},`)(length)}1]`,
      'of objects with escapes': (length) => `[${filled(`${object('\u006b')},`)(length)}1]`,
      'of one member': filled('"a":1,', '{', '"a":1}'),
      'of digits': filled('9', '[', ']'),
      'of escapes': filled('\\u005f', '"', '"'),
      'of quotes': filled('"'),
      'of brackets that are refused': filled(']'),
    },
  },
  Cookie: {
    parse: (text) => findCookie(text, 'sid'),
    texts: {
      'of the name': filled('sid'),
      'of other cookies': filled('a=1; '),
      'of the cookie': filled('sid=1; '),
      'of the cookie among blanks': filled('x sid= '),
      'of blanks': filled(' ', 'sid=', 'x'),
      'of blanks at the end': filled(' ', 'sid=1'),
    },
  },
  Authorization: {
    parse: (text) => Authorization.parse(text),
    texts: {
      'of blanks': filled(' ', 'Basic '),
      'of base64': filled('QUFB', 'Basic ', 'QTpB'),
      'of bad base64': filled('QUFB', 'Basic ', '='),
      'of a token': filled('a', 'Bearer '),
      'of padding': filled('=', 'Bearer '),
      'of another scheme': filled('a'),
    },
  },
  'Accept-Language': {
    parse: (text) => locales.negotiate(text),
    texts: { 'of languages': filled('fr;q=0.5,'), 'of commas': filled(','), 'of blanks': filled(' ', 'fr') },
  },
  Accept: {
    parse: (text) => prefersJson(text),
    texts: {
      'of types': filled('application/json;q=0.5,'),
      'of parameters': filled(';a=b', 'application/json'),
    },
  },
  'X-Forwarded-For': {
    parse: (text) => proxies.x.read('127.0.0.1', () => text),
    texts: {
      'of addresses': filled('1.1.1.1, '),
      'of commas': filled(','),
      'of blanks': filled(' ', '1.1.1.1,'),
    },
  },
  Forwarded: {
    parse: (text) => proxies.rfc.read('127.0.0.1', () => text),
    texts: {
      'of elements': filled('for=1.1.1.1;proto=https, '),
      'of pairs': filled(';a=b', 'for=1.1.1.1'),
      'of quotes': filled('"', 'for='),
    },
  },
  'Set-Cookie': {
    parse: (text) => parsed(() => new Cookies(null, false).set('a', text)),
    texts: { 'of escapes': filled('é'), 'of semicolons': filled(';'), 'of letters': filled('a') },
  },
  path: {
    parse: (text) => application.router().match('GET', text),
    short: MAX_PATH_LENGTH / 8 - 8,
    texts: {
      'of segments': filled('/a'),
      'of slashes': filled('/'),
      'of escaped slashes': filled('%2f', '/a/'),
      'of escapes': filled('%C3%A9', '/f/'),
      'of broken escapes': filled('%', '/a/'),
      'of dots': filled('/..', '/a'),
    },
  },
  'return address': {
    parse: (text) => LocalTarget.parse(text),
    texts: { 'of escapes': filled('%25', '/'), 'of dots': filled('/a.', '/'), 'of slashes': filled('/a') },
  },
  Range: {
    parse: (text) => parseRanges(text, 1000),
    texts: {
      'of commas among blanks': filled(',  ', 'bytes=0-0', 'x'),
      'of blanks': filled(' ', 'bytes=', 'x'),
      'of blanks behind a part': filled(' ', 'bytes=0-0', 'x'),
      'of commas': filled(',', 'bytes=', 'x'),
      'of parts': filled('0-0 , ', 'bytes=', 'x'),
      'of digits': filled('1', 'bytes=', 'x'),
    },
  },
  'If-None-Match': {
    parse: (text) =>
      judgePreconditions((name) => (name === 'if-none-match' ? text : null), { etag: '"a"', modified: null }),
    texts: { 'of tags': filled('"b" , '), 'of blanks': filled(' ', '"b"', 'x'), 'of quotes': filled('"') },
  },
  'name of a file': {
    parse: (text) => labelOf(text),
    texts: {
      'of letters before a slash': filled('a', '', '/b'),
      'of slashes': filled('/', '', 'b'),
      'of dots and blanks': filled('. ', 'a', 'b'),
      'of marks': filled(MARKS),
    },
  },
  'name of a field': {
    parse: (text) => [new SecretNames({}).has(text), String(new ShownForm({}).attributes(text))],
    texts: {
      'of hyphens': filled('-', 'a', 'b'),
      'of brackets': filled('[]'),
      'of cases': filled('aB'),
      'of marks': filled(MARKS),
    },
  },
  'field of a form that is shown again': {
    short: 4 * KIB,
    parse: (text) => {
      const fallback = `no ${text}`
      const form = new ShownForm({ name: text }, [new Violation({ field: 'name', code: 'no', fallback })])
      return [String(form.attributes('name')), String(form.message('name'))]
    },
    texts: { 'of marks': filled(MARKS), 'of quotes': filled('"<&'), 'of letters': filled('a') },
  },
  'field of a refused form': {
    parse: (text) => refuseAll({ name: text, password: text, [text]: text }),
    texts: {
      'of marks': filled(MARKS),
      'of letters': filled('a'),
      'of digits': filled('1'),
      'of quotes': filled('"'),
      'of escapes': filled('\\u0041'),
      'of addresses': filled('a@a.'),
      'of messages': filled('must be 1 (was '),
    },
  },
  'refused JSON': {
    parse: (text) => refuseAll(parseJson(encoder.encode(text), UNLIMITED)),
    texts: {
      'of numbers': filled('123456789,', '{"name":[', '1]}'),
      'of secrets': filled('{"token":1},', '{"name":[', '1]}'),
      'of names': (length) => `{"name":${object('k'.repeat(Math.ceil(length / 500)))}}`,
    },
  },
  'Redis record': {
    parse: (text) => parsed(() => parseRecord(text)),
    texts: {
      'of entries': filled('"a"\u001f1\u001e', 'L1 2\u001e'),
      'of separators': filled('\u001e\u001f', 'L1 2\u001e'),
      'without an end': filled('a', 'L1 2'),
      'with a tombstone': filled('a', 'E1 2\u001e'),
    },
  },
}

/** Schemas that refuse everything, each in its own words. */
const refusing: readonly StandardSchema[] = [
  z.strictObject({ name: z.email(), password: z.email() }) as StandardSchema,
  v.strictObject({ name: v.pipe(v.string(), v.maxLength(0)), password: v.number() }) as StandardSchema,
  type({ '+': 'reject', name: '"one"|"another"', password: 'number' }) as unknown as StandardSchema,
  {
    '~standard': {
      version: 1,
      vendor: 'by hand',
      validate: (value) => ({
        issues: [{ message: JSON.stringify(value) }, { message: 'x', path: ['name'] }],
      }),
    },
  },
]

/** Asks every refusing schema. */
async function refuseAll(value: unknown): Promise<void> {
  for (const schema of refusing)
    await assert.rejects(async () => validateInput(schema, value), ValidationException)
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): null {
  const kinds = [HttpException, SyntaxError, TypeError]
  if (kinds.some((kind) => error instanceof kind)) return null
  throw error
}

/** The shortest of some runs, for what else the machine does only makes a run longer; fewer when they take long. */
async function milliseconds(work: () => unknown, runs: number): Promise<number> {
  const end = performance.now() + 2000
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i === 0 || (i < runs && performance.now() < end); i++) {
    const start = performance.now()
    await work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

describe('parsers of what a client sends', () => {
  for (const [name, { parse, texts, short = SHORT }] of Object.entries(subjects)) {
    it(`${name}: the cost grows with the size, and not faster [R-36 MEND-01]`, async (t) => {
      let worst = 0
      for (const [what, make] of Object.entries(texts)) {
        const [text, longText] = [make(short), make(short * 8)]
        for (let i = 0; i < 3; i++) await parse(text)

        const growth = await growthAtDouble({ short: () => parse(text), long: () => parse(longText) })

        worst = Math.max(worst, growth)
        const message = `${name} ${what}: ${growth.toFixed(2)} times at double size`
        assert.ok(growth <= MAX_AT_DOUBLE_SIZE, message)
      }
      figure(t, 'R-36', {
        what: `${name}: cost at double size, worst of ${Object.keys(texts).length} texts`,
        value: worst.toFixed(2),
        goal: `at most ${GOAL_AT_DOUBLE_SIZE}`,
      })
    })
  }
})

describe('large headers and forms', () => {
  for (const [what, parse, goal] of [
    [
      'a form of 1 MiB refused by the number of its fields',
      () =>
        parseForm(
          formSource('a=&'.repeat(349_525), 'application/x-www-form-urlencoded'),
          DEFAULT_INPUT_LIMITS,
        ),
      20,
    ],
    [
      'a multipart form of 1 MiB refused by the number of its parts',
      () => parseForm(formSource(part(named, '').repeat(17_000), MULTIPART), DEFAULT_INPUT_LIMITS),
      100,
    ],
    ['a cookie line of 16 KiB', () => findCookie(filled('sid')(16 * KIB), 'sid'), 2],
    ['a cookie line of 16 KiB of cookies', () => findCookie(filled('a=1; ')(16 * KIB), 'sid'), 2],
    ['an Accept-Language of 16 KiB', () => locales.negotiate(filled('fr;q=0.5,')(16 * KIB)), 1],
    [
      'an Accept-Language that is read whole',
      () => new Locales(['en', 'fr']).negotiate(filled('de,')(510)),
      1,
    ],
    ['an Accept of 16 KiB', () => prefersJson(filled('application/json;q=0.5,')(16 * KIB)), 1],
  ] as const) {
    it(`${what} costs little [R-36]`, async (t) => {
      const work = async (): Promise<unknown> => {
        try {
          return await parse()
        } catch (error) {
          assert.ok(error instanceof PayloadTooLargeException, String(error))
          return null
        }
      }

      const took = await milliseconds(work, sized(9, 100))

      figure(t, 'R-36', { what, value: `${took.toFixed(3)} ms`, goal: `at most ${goal} ms` })
      // Ten times the goal, for a machine that does other things as well.
      assert.ok(took < 10 * goal, `${took} ms`)
    })
  }
})

describe('depth of what a client sends', () => {
  const fields = {
    'POST /': async (context: HttpContext) => {
      const form = await context.form()
      return { fields: [...(form?.entries() ?? [])].length }
    },
  }
  const schema: StandardSchema = {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
  }

  class BodyController extends Controller {
    static readonly actions = { indexPost: [input(schema)] } satisfies Actions<BodyController>

    indexPost(value: unknown): object {
      return { depth: depthOf(value) }
    }
  }

  const kinds = {
    arrays: (depth: number) => '['.repeat(depth) + ']'.repeat(depth),
    objects: (depth: number) => '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1),
    both: (depth: number) =>
      '[{"a":'.repeat(depth >> 1) + (depth % 2 === 1 ? '[]' : '1') + '}]'.repeat(depth >> 1),
    'arrays without an end': (depth: number) => '['.repeat(depth),
  } as const

  it('JSON of 64 levels is read, a deeper one is a 400, and nothing crashes with context tracking on [R-37]', async (t) => {
    const app = App.create({ debug: false }).modules(
      defineModule('Site', (module) => module.mount('/').controllers(BodyController)),
    )
    const storage = new AsyncLocalStorage<number>()
    const hook = createHook({ init: () => undefined }).enable()
    t.after(() => hook.disable())
    const depths = [1, 2, 63, 64, 65, 66, 100, 1000, 10_000, 100_000, 250_000, 500_000]
    const wrong: string[] = []
    let answers = 0
    for (let round = 0; round < sized(1, 200); round++) {
      for (const [kind, make] of Object.entries(kinds)) {
        for (const depth of depths) {
          const body = make(depth).slice(0, 1_000_000)
          const headers = { 'content-type': 'application/json', accept: 'application/json' }
          const request = new Request('http://app.test/body', { method: 'POST', headers, body })
          const response = await storage.run(depth, () => app.fetch(request))
          const isRead = depth <= 64 && kind !== 'arrays without an end'
          const text = await response.text()
          const isRight = isRead
            ? response.status === 200 && text === JSON.stringify({ depth })
            : response.status === 400
          if (!isRight) wrong.push(`${kind} ${depth}: ${response.status} ${text}`)
          answers++
        }
      }
    }
    const what = `answers other than expected of ${answers}, up to 500,000 levels`
    figure(t, 'R-37', { what, value: wrong.length, goal: '0' })
    assert.deepEqual(wrong, [])
  })

  it('brackets in the name of a field nest nothing: the name is a name [R-37]', async () => {
    const client = new TestClient(site(fields))
    for (const depth of [1, 8, 9, 1000, 100_000]) {
      const name = `a${'[b]'.repeat(depth)}`
      const response = await client.post('/', { form: { [name]: '1', a: '2' } })

      assert.deepEqual([response.status, await response.json()], [200, { fields: 2 }])
    }
  })
})

function depthOf(value: unknown): number {
  let depth = 0
  for (let inner = value; typeof inner === 'object' && inner !== null; depth++)
    inner = Object.values(inner)[0]
  return depth
}
