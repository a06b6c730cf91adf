import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { StandardSchema } from 'sallyport/input'
import { type Actions, input, param } from 'sallyport/routing'

import { ask, PageController, site } from '../fixture.ts'

const schema: StandardSchema = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
}
const [a, b, c] = [param.string('a'), param.string('b'), param.string('c')] as const
const [d, e, f] = [param.string('d'), param.string('e'), param.string('f')] as const

class ManyController {
  static readonly actions: Actions<ManyController> = {
    four: [a, b, c, d],
    six: [a, b, c, d, e, f],
    mixed: [param.string('a'), param.int('b'), param.string('c'), param.bool('d'), param.string('e')],
    form: [param.string('a'), input(schema)],
    search: [param.string('a'), param.string('b').optional(), param.int('c').optional(), input(schema)],
    list: [param.string('a'), param.rest(param.string('b'))],
    numbers: [param.rest(param.int('b'))],
    maybe: [param.string('a').optional(), param.int('b').optional(), param.rest(param.string('c'))],
  }
  four(_a: string, _b: string, _c: string, _d: string): void {}
  six(_a: string, _b: string, _c: string, _d: string, _e: string, _f: string): void {}
  mixed(_a: string, _b: number, _c: string, _d: boolean, _e: string): void {}
  form(_a: string, _input: unknown): void {}
  search(_a: string, _b?: string, _c?: number, _input?: unknown): void {}
  list(_a: string, ..._b: string[]): void {}
  numbers(..._b: number[]): void {}
  maybe(_a?: string, _b?: number, ..._c: string[]): void {}
}

describe('the arguments of a route', () => {
  it('are as many as there are placeholders, in the order of the action', () => {
    const app = site((routes) => {
      routes.get('/4/{a}/{b}/{c}/{d}', [ManyController, 'four'])
      routes.get('/back/{d}/{c}/{b}/{a}', [ManyController, 'four'])
      routes.get('/6/{a}/{b}/{c}/{d}/{e}/{f}', [ManyController, 'six'])
      routes.get('/mixed/{a}/{b}/{c}/{d}/{e}', [ManyController, 'mixed'])
      routes.get('/turned/{e}/{d}/{c}/{b}/{a}', [ManyController, 'mixed'])
    })

    assert.deepEqual(
      [
        '/4/w/x/y/z',
        '/back/w/x/y/z',
        '/6/u/v/w/x/y/%7A%2F',
        '/mixed/v/5/x/true/z',
        '/mixed/v/w/x/true/z',
        '/turned/v/0/x/5/z',
      ].map((path) => ask(app, path)),
      [
        'Site ManyController.four("w", "x", "y", "z")',
        'Site ManyController.four("z", "y", "x", "w")',
        'Site ManyController.six("u", "v", "w", "x", "y", "z/")',
        'Site ManyController.mixed("v", 5, "x", true, "z")',
        '404',
        'Site ManyController.mixed("z", 5, "x", false, "v")',
      ],
    )
  })

  it('leave a place for each parameter before the input', () => {
    const app = site((routes) => {
      routes.get('/form/{a}', [ManyController, 'form'])
      routes.get('/search/{a}', [ManyController, 'search'])
      routes.get('/search/{a}/{b}', [ManyController, 'search'])
      routes.get('/search/{a}/{b}/{c}', [ManyController, 'search'])
      routes.get('/numbered/{a}/{c}', [ManyController, 'search'])
    })

    assert.deepEqual(
      ['/form/x', '/search/x', '/search/x/y', '/search/x/y/5', '/search/x/y/z', '/numbered/x/5'].map((path) =>
        ask(app, path),
      ),
      [
        'Site ManyController.form("x")',
        'Site ManyController.search("x", undefined, undefined)',
        'Site ManyController.search("x", "y", undefined)',
        'Site ManyController.search("x", "y", 5)',
        '404',
        'Site ManyController.search("x", undefined, 5)',
      ],
    )
  })

  it('leave a place for each parameter before a rest', () => {
    const app = site((routes) => {
      routes.get('/r/{c}', [ManyController, 'maybe']).where('c', '.*')
      routes.get('/ar/{a}/{c}', [ManyController, 'maybe']).where('c', '.*')
      routes.get('/br/{b}/{c}', [ManyController, 'maybe']).where('c', '.*')
      routes.get('/a/{a}', [ManyController, 'maybe'])
    })

    assert.equal(ask(app, '/r/x/y'), 'Site ManyController.maybe(undefined, undefined, "x", "y")')
    assert.equal(ask(app, '/ar/w/x'), 'Site ManyController.maybe("w", undefined, "x")')
    assert.equal(ask(app, '/br/7/x'), 'Site ManyController.maybe(undefined, 7, "x")')
    assert.equal(ask(app, '/a/w'), 'Site ManyController.maybe("w")')
  })

  it('of a rest are a list, each of its kind', () => {
    const app = site((routes) => {
      routes.get('/list/{a}/{b}', [ManyController, 'list']).where('b', '.*')
      routes.get('/numbers/{b}', [ManyController, 'numbers']).where('b', '.+')
    })

    assert.deepEqual(
      ['/list/x/y', '/list/x/y/%C3%A9/z', '/numbers/1', '/numbers/1/2', '/numbers/1/x'].map((path) =>
        ask(app, path),
      ),
      [
        'Site ManyController.list("x", "y")',
        'Site ManyController.list("x", "y", "é", "z")',
        'Site ManyController.numbers(1)',
        'Site ManyController.numbers(1, 2)',
        '404',
      ],
    )
  })
})

describe('literal segments', () => {
  it('are told apart by every character, also when they end alike, and in any script', () => {
    const literals = [
      'dark-mode-endings',
      'park-mode-endings',
      'dark-mode-endingt',
      'd',
      'dé',
      'dè',
      'e',
      'ééééééééééé',
      'ééééééééééè',
      'èéééééééééé',
      '12345678',
      '123456789',
      '1234567890',
      '0234567890',
    ]
    const app = site((routes) => {
      for (const literal of literals) routes.get(`/${literal}`, [PageController, 'index']).name(literal)
      routes.get('/m', [PageController, 'other'])
    })
    const named = (path: string): string | null => {
      const match = app.match('GET', path)
      return match.kind === 'found' ? match.route.name : match.kind
    }

    for (const literal of literals) assert.equal(named(`/${encodeURIComponent(literal)}`), literal)
    for (const other of [
      'mark-mode-endings',
      'dark-mode-ending',
      'dark-mode-endings-',
      'dê',
      // Packed into seven bits each, the characters of "dé" are these.
      'ei',
      '11234567890',
      'park-mode-endingt',
    ])
      assert.equal(named(`/${encodeURIComponent(other)}`), 'notFound', other)
  })

  it('may be many below one path', () => {
    const app = site((routes) => {
      for (let number = 0; number < 300; number++)
        routes.get(`/n/${number}`, [PageController, 'index']).name(`n${number}`)
    })

    for (let number = 0; number < 300; number++) {
      const match = app.match('GET', `/n/${number}`)
      assert.equal(match.kind === 'found' ? match.route.name : null, `n${number}`)
    }
    assert.equal(ask(app, '/n/300'), '404')
    assert.equal(ask(app, '/n'), '404')
  })
})
