import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { param } from 'sallyport/routing'
import { Action } from '../../../src/routing/declaration/action.ts'
import { AuditedPath, combine } from '../../../src/inspection/audit/audited-path.ts'
import { languageOfType, literalLanguage } from '../../../src/inspection/audit/segment-language.ts'
import { INT } from '../../../src/routing/declaration/built-in-types.ts'
import { STRING } from '../../../src/routing/declaration/string-type.ts'
import type { ActionTable } from '../../../src/routing/declaration/controller-class.ts'
import { RouteTarget } from '../../../src/routing/route.ts'
import { Pattern } from '../../../src/routing/table/pattern.ts'
import { Variant } from '../../../src/routing/table/variant.ts'
import { loadExpressions } from '../../../src/routing/expression/late-expressions.ts'

await loadExpressions()

class AnyController {
  static readonly actions: ActionTable = {
    any: [param.string('s').optional(), param.string('t').optional(), param.int('i').optional()],
    rest: [param.string('s').optional(), param.rest(param.string('r'))],
    numbers: [param.rest(param.int('r'))],
  }
  any(_s?: string, _t?: string, _i?: number): void {}
  rest(_s?: string, ..._r: string[]): void {}
  numbers(..._r: number[]): void {}
}

type Where = Readonly<Record<string, string>>

/** A path; `{s}` and `{t}` are texts, `{i}` an integer, `{r}` a rest of texts, of numbers in an action so called. */
function path(
  source: string,
  where: Where = {},
  action = source.includes('{r}') ? 'rest' : 'any',
): AuditedPath {
  const parameters = AnyController.actions[action] ?? []
  const target = new RouteTarget(new Action(AnyController, action, parameters), {
    module: 'Site',
    middlewares: [],
    name: null,
    where: null,
    defaults: null,
    priority: 0,
  })
  const pattern = new Pattern(source, source.includes('{r}') ? { r: '.*', ...where } : where)
  const variant = new Variant(target, {
    pattern,
    methods: ['GET'],
    locale: null,
    order: 0,
    source: undefined,
  })
  return new AuditedPath(variant, variant)
}

const digits: Where = { s: '[0-9]+' }

describe('AuditedPath', () => {
  it('knows the literal segments that each URL of it begins with', () => {
    assert.deepEqual(path('/a/b/{s}/c').literals, ['a', 'b'])
    assert.deepEqual(path('/a/b').literals, ['a', 'b'])
    assert.deepEqual(path('/{s}/a').literals, [])
    assert.deepEqual(path('/a/{r}').literals, ['a'])
    assert.deepEqual(path('').literals, [])
  })

  it('gives examples that it takes', () => {
    for (const each of [
      path('/a/b'),
      path('/{s}/x/{t}'),
      path('/{i}'),
      path('/{s}', digits),
      path('/{s}-{t}'),
      path('/a/{r}'),
      path('/{s}/{r}', digits),
      path('/{r}', { r: '[a-z]+/[a-z]+' }),
      path('/{r}', {}, 'numbers'),
    ]) {
      const examples = each.examples()

      assert.ok(examples.length > 0, each.variant.label)
      for (const texts of examples) assert.notEqual(each.match('GET', texts), null, texts.join('/'))
    }
    assert.deepEqual(path('/a/b').examples()[0], ['a', 'b'])
    assert.deepEqual(path('').examples()[0], [])
    assert.deepEqual(path('/{s}', { s: 'é/' }).examples(), [])
  })

  for (const [one, other] of [
    [path('/a/{s}'), path('/{s}/b')],
    [path('/{s}', digits), path('/{i}')],
    [path('/a/{r}'), path('/{s}/b')],
    [path('/a/{r}'), path('/{s}/b/c')],
    [path('/{r}'), path('/a/{r}')],
    [path('/{r}', { r: '[a-z]+/[a-z]+' }), path('/{s}/{t}')],
    [path('/x{s}'), path('/{s}y')],
  ] as const) {
    it(`finds what ${one.variant.pattern.key} and ${other.variant.pattern.key} have in common`, () => {
      for (const pair of [
        [one, other],
        [other, one],
      ] as const) {
        const common = [...pair[0].common(pair[1], 'GET')]

        assert.ok(common.length > 0)
        for (const texts of common)
          for (const each of pair) assert.notEqual(each.match('GET', texts), null, texts.join('/'))
      }
    })
  }

  for (const [one, other] of [
    [path('/a/{s}'), path('/b/{s}')],
    [path('/a'), path('/a/b')],
    [path('/{s}/{t}'), path('/{s}')],
    [path('/a/b'), path('/a/b/{r}')],
    [path('/a'), path('/a/b/{r}')],
    [path('/{s}', digits), path('/{s}', { s: '[a-z]+' })],
    [path('/a/{s}', digits), path('/{s}/b')],
  ] as const) {
    it(`finds nothing that ${one.variant.pattern.key} and ${other.variant.pattern.key} have in common`, () => {
      assert.deepEqual([...one.common(other, 'GET')], [])
      assert.deepEqual([...other.common(one, 'GET')], [])
    })
  }

  for (const [outer, inner] of [
    [path('/a/{s}'), path('/a/b')],
    [path('/{s}/{t}'), path('/a/{i}')],
    [path('/{s}'), path('/{s}', digits)],
    [path('/{r}'), path('/a')],
    [path('/{r}'), path('/{s}/b/{t}')],
    [path('/a/{r}'), path('/a/b/c')],
    [path('/a/{r}'), path('/a/b/{r}')],
    [path('/{r}'), path('/a/{r}')],
    [path('/{r}'), path('/{r}')],
    [path(''), path('')],
  ] as const) {
    it(`proves that ${outer.variant.pattern.key} takes all of ${inner.variant.pattern.key}`, () => {
      assert.equal(outer.covers(inner), true)
    })
  }

  for (const [outer, inner] of [
    [path('/a/b'), path('/a/{s}')],
    [path('/{s}'), path('/{s}/{t}')],
    [path('/{s}/{t}'), path('/{s}')],
    [path('/{s}'), path('/{r}')],
    [path('/a'), path('/a/{r}')],
    [path('/a/{s}'), path('/a/{r}')],
    [path('/a/{r}'), path('/a')],
    [path('/a/{r}'), path('/{r}')],
    [path('/a/{r}'), path('/b/c')],
    [path('/{r}', { r: '[a-z]+/[a-z]+' }), path('/a/b')],
    [path('/{r}', {}, 'numbers'), path('/1')],
    [path('/{s}', digits), path('/{s}')],
  ] as const) {
    it(`does not claim that ${outer.variant.pattern.key} takes all of ${inner.variant.pattern.key}`, () => {
      assert.equal(outer.covers(inner), false)
    })
  }

  it('proves what it takes of a conventional URL', () => {
    const segments = [...['any', 'save'].map(literalLanguage), languageOfType(STRING), languageOfType(INT)]

    for (const covering of [
      '/any/save/{s}/{t}',
      '/any/save/{s}/{i}',
      '/{s}/save/{t}/{i}',
      '/any/{r}',
      '/{r}',
    ])
      assert.equal(path(covering).covers({ segments, tail: null }), true, covering)
    for (const other of [
      '/any/save',
      '/any/load/{s}/{t}',
      '/any/save/{s}',
      '/any/save/{i}/{t}',
      '/any/save/x/1/{r}',
    ])
      assert.equal(path(other).covers({ segments, tail: null }), false, other)
    assert.equal(path('/any/save/{s}/{t}/{i}').covers({ segments, tail: null }), false)
    assert.equal(path('/any/{r}', { r: '[a-z]+/.+' }).covers({ segments, tail: null }), false)
  })
})

describe('combine()', () => {
  it('makes paths of one text for each segment, each text as often as another', () => {
    assert.deepEqual(combine([['a'], ['b']]), [
      ['a', 'b'],
      ['a', 'b'],
    ])
    assert.deepEqual(combine([['a', 'b'], ['1']]), [
      ['a', '1'],
      ['b', '1'],
      ['a', '1'],
      ['b', '1'],
    ])
    assert.deepEqual(
      combine([
        ['a', 'b'],
        ['1', '2'],
      ]),
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '2'],
        ['b', '1'],
      ],
    )
    assert.deepEqual(combine([]), [[], []])
    assert.deepEqual(combine([['a']], [['x'], ['y', 'z']]), [
      ['a', 'x'],
      ['a', 'y', 'z'],
      ['a', 'x'],
      ['a', 'y', 'z'],
    ])
  })

  it('makes none where a segment has no text, and no more than twelve', () => {
    assert.deepEqual(combine([['a'], []]), [])
    assert.deepEqual(combine([['a']], []), [])
    assert.equal(combine([Array.from({ length: 30 }, (_, index) => String(index))]).length, 12)
    assert.equal(combine([['1', '2', '3', '4', '5']]).length, 10)
  })
})
