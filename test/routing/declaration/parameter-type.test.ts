import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'
import {
  type Actions,
  param,
  type ParameterType,
  parameterType,
  type Router,
  type UrlParams,
} from 'sallyport/routing'

import { BOOL, FLOAT, INT } from '../../../src/routing/declaration/built-in-types.ts'
import { STRING } from '../../../src/routing/declaration/string-type.ts'
import { LinearExpression } from '../../../src/routing/expression/linear-expression.ts'
import type { BuiltInKind } from '../../reliability/paths/draft.ts'
import { inspect, claim, conventional, fails, module, router, table } from '../fixture.ts'

const BUILT_IN_TYPES: Record<BuiltInKind, ParameterType> = {
  string: STRING,
  int: INT,
  float: FLOAT,
  bool: BOOL,
}

/** A day of the calendar, an object as applications have them. */
class Day {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const uuid = parameterType<string>({
  name: 'uuid',
  pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  parse: (text) => text,
  typescript: 'string',
})
const day = parameterType<Day>({
  name: 'day',
  pattern: /\d{4}-\d{2}-\d{2}/,
  // Throws for what is no day of the calendar, as Temporal does.
  parse: (text) =>
    new Day(new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) === text ? text : refuse(text)),
  format: ({ text }) => text.slice(0),
  typescript: "import('./day.ts').Day",
  examples: ['2026-01-01', '2026-11-22'],
})
const large = parameterType<bigint>({ name: 'large', pattern: '0|[1-9][0-9]*', parse: BigInt })

function refuse(text: string): never {
  throw new RangeError(text)
}

class DiaryController {
  static readonly actions = {
    show: [param.of(day, 'day')],
    entry: [param.of(uuid, 'id')],
    pages: [param.of(uuid, 'id'), param.rest(param.of(day, 'days'))],
    since: [param.of(day, 'day').optional()],
    count: [param.of(large, 'number')],
  } satisfies Actions<DiaryController>
  show(_day: Day): void {}
  entry(_id: string): void {}
  pages(_id: string, ..._days: Day[]): void {}
  since(_day?: Day): void {}
  count(_number: bigint): void {}
}

const ID = '3f2a9c1e-0b7d-4e5f-8a6b-112233445566'
const MISSED = ['2026-02-30', '2026-1-1', 'x', '2026-01-01x', ID.toUpperCase(), `${ID}0`]

const tabled = router([
  module('Diary', {
    convention: false,
    controllers: [DiaryController],
    steps: [
      table((r) => {
        r.get('/on/{day}', [DiaryController, 'show']).name('show')
        r.get('/{id}', [DiaryController, 'entry']).name('entry')
        r.get('/{id}/pages/{days}', [DiaryController, 'pages']).where('days', '.*').name('pages')
        r.get('/since-{day}.html', [DiaryController, 'since']).name('since').default('day', '2026-01-01')
        r.get('/number/{number}', [DiaryController, 'count']).name('count')
      }),
      claim('/today', (r) => r.get('/{day}', [DiaryController, 'show']).name('today')),
    ],
  }),
])
const byConvention = router([conventional('Diary', [DiaryController])])

function aboutRoutes(app: Router): readonly string[] {
  return inspect(app)
    .audit()
    .findings.flatMap(({ code }) => (code === 'unreachable-action' ? [] : [code]))
}

function argsOf(app: Router, path: string): readonly unknown[] | string {
  const match = app.match('GET', path)
  return match.kind === 'found' ? match.route.args : match.kind
}

describe('a type whose values are objects', () => {
  it('reads texts only, never a value that a URL is made of', () => {
    const read: unknown[] = []
    const noting = parameterType<Day>({
      name: 'noted day',
      pattern: '[0-9-]+',
      parse: (text) => {
        read.push(text)
        return new Day(text)
      },
      format: (value) => value.text,
    })
    class NoteController {
      static readonly actions = { show: [param.of(noting, 'day')] } satisfies Actions<NoteController>
      show(_day: Day): void {}
    }
    const app = router([conventional('Notes', [NoteController])])

    assert.equal(app.urlFor([NoteController, 'show'], [new Day('2026-11-22')]), '/notes/note/show/2026-11-22')
    assert.ok(read.length > 0)
    assert.deepEqual(
      read.filter((text) => typeof text !== 'string'),
      [],
    )
  })
})

describe('the built-in types', () => {
  it('tell the compiler what a URL takes for them', () => {
    const written: Record<BuiltInKind, string> = {
      string: 'string | number | bigint',
      int: 'number | bigint',
      float: 'number',
      bool: 'boolean',
    }

    for (const [kind, { typescript }] of Object.entries<ParameterType>(BUILT_IN_TYPES))
      assert.equal(typescript, Reflect.get(written, kind), kind)
  })

  const texts: Record<BuiltInKind, { taken: readonly string[]; refused: readonly string[] }> = {
    string: { taken: ['a', ' ', '7'], refused: [] },
    int: {
      taken: ['0', '7', '-7', '9007199254740991', '-9007199254740991'],
      refused: [
        '',
        '-',
        '-0',
        '01',
        '+1',
        '1.0',
        '9007199254740992',
        '10000000000000000',
        '1'.repeat(17),
        '1a',
        'a',
        '1/',
        '1:',
      ],
    },
    float: {
      taken: ['0', '-1.50', '2e9', '1E-3', '0.0'],
      refused: ['', '-0', '-0.0', '.5', '1.', '01', 'NaN', 'Infinity', '1e999', ' 1'],
    },
    bool: { taken: ['true', 'false', '1', '0'], refused: ['', 'TRUE', '2', 'yes'] },
  }
  for (const kind of Object.keys(texts) as BuiltInKind[]) {
    const { taken, refused } = texts[kind]
    const type: ParameterType = BUILT_IN_TYPES[kind]
    it(`of ${type.name} says truthfully whether its pattern is exact`, () => {
      const expression = new LinearExpression(type.pattern)
      if (!type.isExact) assert.ok(refused.some((text) => expression.test(text)))
      else {
        const fitting = fc.stringMatching(new RegExp(`^(?:${expression.source})$`))
        fc.assert(fc.property(fitting, (text) => type.parse(text) !== undefined))
      }
    })

    it(`of ${type.name} read what they take, write it again, and nothing else`, () => {
      for (const text of taken) {
        const value = type.parse(text)
        assert.notEqual(value, undefined, text)
        const written = type.format(value)
        assert.ok(written !== undefined && Object.is(type.parse(written), value), text)
        assert.notEqual(type.format(text), undefined, text)
      }
      for (const text of refused) {
        assert.equal(type.parse(text), undefined, text)
        assert.equal(type.format(text), undefined, text)
      }
      for (const value of [undefined, null, {}, [], Symbol('x'), NaN, Infinity])
        assert.equal(type.format(value), undefined)
    })
  }
})

describe('a parameter type of the application', () => {
  it('is read from the URLs of tables, claims and convention [HOLD-36]', () => {
    for (const [app, path, args] of [
      [tabled, '/diary/on/2026-11-22', [new Day('2026-11-22')]],
      [tabled, '/diary/on/2026%2D11-22', [new Day('2026-11-22')]],
      [tabled, `/diary/${ID}`, [ID]],
      [
        tabled,
        `/diary/${ID}/pages/2026-01-01/2026-01-02`,
        [ID, new Day('2026-01-01'), new Day('2026-01-02')],
      ],
      [tabled, '/diary/since-2026-01-01.html', [new Day('2026-01-01')]],
      [tabled, '/today/2026-01-01', [new Day('2026-01-01')]],
      [tabled, '/diary/number/123456789012345678901', [123456789012345678901n]],
      [byConvention, '/diary/diary/show/2026-11-22', [new Day('2026-11-22')]],
      [byConvention, `/diary/diary/entry/${ID}`, [ID]],
      [byConvention, `/diary/diary/pages/${ID}/2026-01-01`, [ID, new Day('2026-01-01')]],
      [byConvention, '/diary/diary/since', []],
      [byConvention, '/diary/diary/since/2026-01-01', [new Day('2026-01-01')]],
    ] as const)
      assert.deepEqual(argsOf(app, path), args, path)
  })

  it('is not found where a text does not fit, or cannot be read [HOLD-36]', () => {
    for (const text of MISSED) {
      for (const path of [
        `/diary/on/${text}`,
        `/diary/${text}`,
        `/diary/${ID}/pages/${text}`,
        `/today/${text}`,
      ])
        assert.equal(argsOf(tabled, path), 'notFound', path)
      for (const action of ['show', 'entry', 'since'])
        assert.equal(argsOf(byConvention, `/diary/diary/${action}/${text}`), 'notFound', text)
    }
  })

  it('is never asked about a text that its pattern refuses [HOLD-36]', () => {
    const asked: string[] = []
    const noted = parameterType({
      name: 'noted',
      pattern: '[a-c]+',
      parse: (text) => (asked.push(text), text),
    })
    class NotedController {
      static readonly actions = { show: [param.of(noted, 'x')] } satisfies Actions<NotedController>
      show(_x: string): void {}
    }
    const app = router([conventional('Noted', [NotedController])])
    for (const text of ['abc', 'abd', 'a%2Fb', 'A']) argsOf(app, `/noted/noted/show/${text}`)

    assert.deepEqual([...new Set(asked)], ['abc'])
  })

  it('is written into generated URLs, from the value or from its text [HOLD-36]', () => {
    for (const [name, params, url] of [
      ['show', { day: new Day('2026-11-22') }, '/diary/on/2026-11-22'],
      ['show', { day: '2026-11-22' }, '/diary/on/2026-11-22'],
      ['entry', { id: ID, page: 2 }, `/diary/${ID}?page=2`],
      [
        'pages',
        { id: ID, days: [new Day('2026-01-01'), '2026-01-02'] },
        `/diary/${ID}/pages/2026-01-01/2026-01-02`,
      ],
      ['since', {}, '/diary/since-2026-01-01.html'],
      ['today', { day: new Day('2026-01-01') }, '/today/2026-01-01'],
      ['count', { number: 5n }, '/diary/number/5'],
    ] as const)
      assert.equal(tabled.url(`diary:${name}`, params as unknown as UrlParams), url)
    assert.equal(
      byConvention.urlFor([DiaryController, 'show'], [new Day('2026-11-22')]),
      '/diary/diary/show/2026-11-22',
    )
    assert.equal(
      byConvention.urlFor([DiaryController, 'pages'], [ID, new Day('2026-01-01')]),
      `/diary/diary/pages/${ID}/2026-01-01`,
    )
  })

  it('takes a string for the text of a value, also where format would take it for a value [HOLD-36]', () => {
    const made = { name: 'x', typescript: 'number' }
    const cents = parameterType<number>({
      ...made,
      pattern: '[0-9]+\\.[0-9]{2}',
      parse: (text) => Math.round(Number(text) * 100),
      format: (value) => (value / 100).toFixed(2),
    })
    const hex = parameterType<number>({
      ...made,
      pattern: '[0-9a-f]+',
      parse: (text) => Number.parseInt(text, 16),
      format: (value) => Number(value).toString(16),
    })
    const year = parameterType<Date>({
      ...made,
      pattern: '[0-9]{4}',
      parse: (text) => new Date(Date.UTC(Number(text), 0)),
      format: (date) => String(new Date(date).getUTCFullYear()),
    })
    // Where values are strings, nothing tells a value from a text: it is the value.
    const shifted = parameterType<string>({
      ...made,
      pattern: '[a-z]+',
      parse: (text) => text.slice(1),
      format: (value) => `x${value}`,
    })
    const all = parameterType<number | string>({
      ...made,
      pattern: 'all|[0-9a-f]+',
      parse: (text) => (text === 'all' ? text : Number.parseInt(text, 16)),
      format: (value) => (value === 'all' ? value : Number(value).toString(16)),
    })
    class MoneyController {
      static readonly actions = {
        cents: [param.of(cents, 'x')],
        hex: [param.of(hex, 'x')],
        year: [param.of(year, 'x')],
        shifted: [param.of(shifted, 'x')],
        all: [param.of(all, 'x')],
      } satisfies Actions<MoneyController>
      cents(_x: number): void {}
      hex(_x: number): void {}
      year(_x: Date): void {}
      shifted(_x: string): void {}
      all(_x: number | string): void {}
    }
    const names = ['cents', 'hex', 'year', 'shifted', 'all'] as const
    const app = router([
      module('Money', {
        convention: false,
        controllers: [MoneyController],
        steps: [
          table((r) => {
            for (const name of names) r.get(`/${name}/{x}`, [MoneyController, name]).name(name)
          }),
        ],
      }),
    ])

    for (const [name, given, text] of [
      ['cents', '12.34', '12.34'],
      ['cents', 1234, '12.34'],
      ['hex', '10', '10'],
      ['hex', 10, 'a'],
      ['hex', '00a', 'a'],
      ['year', '2026', '2026'],
      ['shifted', 'abc', 'xabc'],
      ['all', 'all', 'all'],
      ['all', '10', '10'],
    ] as const) {
      const url = app.url(`money:${name}`, { x: given } as never)
      assert.equal(url, `/money/${name}/${text}`, `${name} ${given}`)
    }
  })

  it('refuses a value that it cannot write, or that would be read as another [HOLD-36]', () => {
    const bad = [
      new Day('2026-02-30'),
      new Day('x/y'),
      '2026-02-30',
      5,
      {},
      [],
      null,
      true,
      new Day(5 as never),
    ]
    for (const value of bad) {
      const code = value === null ? 'missing-parameter' : 'invalid-parameter'
      assert.throws(() => tabled.url('diary:show', { day: value } as never), fails(code))
      assert.throws(
        () => byConvention.urlFor([DiaryController, 'show'], [value as Day]),
        fails('invalid-parameter'),
      )
    }
    const lossy = parameterType({
      name: 'lossy',
      pattern: '[a-z]+',
      parse: (text) => text,
      format: (text) => `${text}x`,
    })
    class LossyController {
      static readonly actions = { show: [param.of(lossy, 'x')] } satisfies Actions<LossyController>
      show(_x: string): void {}
    }
    const app = router([conventional('Lossy', [LossyController])])
    assert.throws(() => app.urlFor([LossyController, 'show'], ['a']), fails('invalid-parameter', 'lossy'))
  })

  it('is checked as a built-in one is: URLs are found for it, and it covers what it covers [HOLD-36]', () => {
    for (const app of [tabled, byConvention]) {
      const { findings, urls } = inspect(app).audit()
      assert.deepEqual(findings, [])
      assert.ok(urls > 4)
    }
    const twice = router([
      module('Diary', {
        convention: false,
        steps: [
          table((r) => {
            r.get('/{day}', [DiaryController, 'show']).where('day', '2026-.*')
            r.get('/{id}', [DiaryController, 'entry']).where('id', '[0-9a-f-]+')
            r.get('/{number}', [DiaryController, 'count']).where('number', '[0-9]+')
            r.get('/x/{day}', [DiaryController, 'show'])
          }),
        ],
      }),
    ])
    // A day is no identifier and no number, so nobody takes a URL from anybody.
    assert.deepEqual(aboutRoutes(twice), [])
    const hidden = router([
      module('Diary', {
        convention: false,
        steps: [
          table((r) => {
            r.get('/{day}', [DiaryController, 'show']).where('day', '[0-9-]+').priority(1)
            r.get('/{day}', [DiaryController, 'since']).where('day', '[0-9-]+')
          }),
        ],
      }),
    ])
    assert.deepEqual(aboutRoutes(hidden), ['unreachable-route'])
  })

  it('is listed and explained by its name [HOLD-36]', async () => {
    const shown = inspect(tabled)
      .routes()
      .find(({ name }) => name === 'diary:show')
    assert.deepEqual(
      shown?.parameters.map(({ kind, typescript }) => [kind, typescript]),
      [['day', "import('./day.ts').Day | string"]],
    )
    const explanation = await inspect(tabled).explain('GET', '/diary/number/123456789012345678901')
    assert.deepEqual(explanation.result.arguments, ['123456789012345678901'])
    assert.match(JSON.stringify(explanation), /123456789012345678901/)
    const missed = await inspect(tabled).explain('GET', '/diary/on/2026-02-30')
    assert.match(missed.toText(), /is not a valid day for "day"/)
  })

  it('is no object that looks like one [HOLD-36]', () => {
    for (const type of [undefined, null, {}, { name: 'x', parse: String }, 'int'])
      assert.throws(() => param.of(type as never, 'x'), TypeError)
  })

  const parts = { name: 'x', pattern: '[a-z]+', parse: (text: string) => text }
  for (const [what, wrong, message] of [
    ['a name with a line end', { name: 'a\nb' }, /^Cannot make a parameter type called /],
    ['no name', { name: '' }, /called ""/],
    ['a name that is none', { name: undefined }, /called undefined/],
    ['a name that begins with a digit', { name: '2x' }, /called "2x"/],
    ['no pattern', { pattern: undefined }, /type "x" with the pattern undefined: pass a regular expression/],
    [
      'a pattern with a flag',
      { pattern: /a/i },
      /type "x" with the pattern .*: pass a regular expression without flags/,
    ],
    ['a pattern that is malformed', { pattern: '[' }, /type "x" with the pattern "\[": /],
    ['a pattern with look-around', { pattern: '(?=a)b' }, /type "x" .*"\(\?=" is not supported/],
    ['no parse', { parse: undefined }, /parse the parameter type "x"/],
    ['a format that is none', { format: 'x' }, /format the parameter type "x"/],
    ...[
      'string /*',
      '*/ string',
      'string // x',
      'string\u2028',
      "'a\u202eb'",
      '`${string}`',
      String.raw`\u0061`,
      "'a",
      '"a',
      "'a\\'",
      "'a\nb'",
      'a }',
      '{ a',
      '[(a])',
      'A<{ a: B>}',
      'string; b: number',
      'string, b: number',
      'string b: number',
      'string,',
      'a > b',
      '{ a = 1 }',
      '() => void',
      'A extends B ? C : D',
      'x'.repeat(10_001),
      '('.repeat(10_000),
      'A<'.repeat(5000),
    ].map(
      (typescript) =>
        [
          `the type ${JSON.stringify(typescript.slice(0, 40))}`,
          { typescript },
          /^Cannot make the parameter type "x" with the type ".*, .*: write names, .*import\('\.\/day\.ts'\)\.Day/,
        ] as const,
    ),
    ['a type that is empty', { typescript: ' ' }, /type "x" with the type " "/],
    ['a type that is none', { typescript: 5 }, /type "x" with the type 5/],
    ['examples that are no list', { examples: 'ab' }, /type "x" with the examples "ab": pass a list/],
    ['an example that does not fit', { examples: ['a', '5'] }, /type "x": "5" does not fit/],
    ['an example that is no text', { examples: [5] }, /type "x": 5 does not fit/],
    ['an option that nobody knows', { patern: 'a' }, /parameterType\(\)/],
  ] as const) {
    it(`is refused with ${what}, which is named [HOLD-36]`, () => {
      assert.throws(() => parameterType({ ...parts, ...wrong } as never), { name: 'TypeError', message })
    })
  }

  for (const [typescript, place] of [
    ['string =>', ', at character 8, "=": '],
    ['{ a: string', ', at its end: '],
    [' \n', ', at its end: '],
    ['string; b: number', ', at character 7, ";": '],
    ["Map<'a, b'> | (c]", ', at character 17, "]": '],
    ["a | 'b", `, at character 5, "'": `],
    ['Map<string,  `x`>', ', at character 14, "`": '],
    ["'a\u202eb'", ', at character 3, "\\u202e": '],
    ['x'.repeat(10_001), ', which has 10001 characters, where at most 10000 are taken: '],
  ] as const) {
    it(`says where the type ${JSON.stringify(typescript.slice(0, 30))} would leave its place [HOLD-36]`, () => {
      assert.throws(
        () => parameterType({ ...parts, typescript }),
        (error) => error instanceof TypeError && error.message.includes(place),
      )
    })
  }

  it('keeps what was wrong with its pattern as the cause [HOLD-36]', () => {
    const error = (() => {
      try {
        return parameterType({ ...parts, pattern: '[' })
      } catch (thrown) {
        return thrown
      }
    })()

    assert.ok(error instanceof TypeError && error.cause instanceof Error)
    assert.ok(error.message.includes(error.cause.message))
  })

  it('takes names, patterns and types at their bounds [HOLD-36]', () => {
    for (const right of [
      { name: 'X' },
      { name: 'a 1_b-c' },
      { pattern: /[a-z]+/u },
      { pattern: /[a-z]+/v },
      { typescript: ' A | B ' },
      { typescript: 'x'.repeat(10_000) },
      { typescript: `'${'x'.repeat(9000)}'${' '.repeat(998)}` },
      { typescript: `x${' | x'.repeat(2499)}` },
      { typescript: `${'('.repeat(4999)}x${')'.repeat(4999)}` },
      { examples: [] },
      { examples: ['a', 'z'] },
    ]) {
      const made = parameterType({ ...parts, ...right })

      assert.deepEqual([made.parse('abc'), made.parse('5'), made.format('abc')], ['abc', undefined, 'abc'])
      assert.ok(Object.isFrozen(made) && Object.isFrozen(made.examples))
    }
  })

  it('tells the compiler that url() takes the value or its text [HOLD-36]', () => {
    for (const [typescript, written] of [
      [undefined, 'unknown'],
      ['any', 'any'],
      ['string', 'string'],
      ['Date', 'Date | string'],
      [' A & B ', 'A & B | string'],
      ['readonly Day[]', 'readonly Day[] | string'],
      ["| 'a'\n  | 'b  c'\r\n\t| (& D)", "| 'a' | 'b  c' | (& D) | string"],
      ['{ \'a-b\': string; readonly "c"?: 1 }', '{ \'a-b\': string; readonly "c"?: 1 } | string'],
      [
        "{ readonly year: number, month?: 'jan' | -1 | 2n; }",
        "{ readonly year: number, month?: 'jan' | -1 | 2n; } | string",
      ],
      [
        '{ readonly: null; get: Map<string, readonly [a.b]> }',
        '{ readonly: null; get: Map<string, readonly [a.b]> } | string',
      ],
      ["keyof Day | Date['a']", "keyof Day | Date['a'] | string"],
      ['(A extends B ? C : D)', '(A extends B ? C : D) | string'],
    ] as const)
      assert.equal(
        parameterType({ ...parts, ...(typescript === undefined ? {} : { typescript }) }).typescript,
        written,
      )
  })

  it('fills the rest of a path by itself, and each value is the one that it was made for [HOLD-36]', () => {
    class AlbumController {
      static readonly actions = {
        all: [param.rest(param.of(day, 'days'))],
      } satisfies Actions<AlbumController>
      all(..._days: Day[]): void {}
    }
    const app = router([
      module('Album', {
        convention: false,
        controllers: [AlbumController],
        steps: [table((r) => r.get('/{days}', [AlbumController, 'all']).where('days', '.*').name('all'))],
      }),
    ])
    const days = [new Day('2026-01-01'), new Day('2026-01-02'), new Day('2026-01-03')]

    assert.equal(app.url('album:all', { days } as never), '/album/2026-01-01/2026-01-02/2026-01-03')
    assert.deepEqual(argsOf(app, '/album/2026-01-01/2026-01-02'), days.slice(0, 2))
    for (const wrong of [[], [new Day('x')], [days[0], new Day('2026-02-30')]])
      assert.throws(() => app.url('album:all', { days: wrong } as never), fails('invalid-parameter'))
  })
})
