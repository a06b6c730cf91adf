import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Actions, param, type UrlParams } from 'sallyport/routing'
import { ask, fails, PageController, site } from '../fixture.ts'

class ListController {
  static readonly actions: Actions<ListController> = {
    list: [param.string('a'), param.rest(param.string('b'))],
    numbers: [param.rest(param.int('b'))],
    flags: [param.rest(param.bool('b'))],
  }
  list(_a: string, ..._b: string[]): void {}
  numbers(..._b: number[]): void {}
  flags(..._b: boolean[]): void {}
}

const app = site((routes) => {
  routes.get('/l/{a}/{b}', [ListController, 'list']).where('b', '.*').name('list')
  routes.get('/n/{b}', [ListController, 'numbers']).where('b', '.*').name('numbers')
  routes.get('/t/{b}', [ListController, 'flags']).where('b', '.+').name('flags')
  routes.get('/two/{b}', [ListController, 'numbers']).where('b', '[0-9]+/[0-9]+').name('two')
  routes.get('/f/{path}', [PageController, 'file']).where('path', '.*').name('file')
  routes.get('/s/{slug}', [PageController, 'show']).name('show')
  routes.get('/from-{a}-to-{b}.html', [PageController, 'pair']).name('pair')
  routes.get('/m/{value}', [PageController, 'measure']).name('measure')
  routes.get('/d/{slug}', [PageController, 'show']).default('slug', 'x').name('default')
  // Beside other text it is no segment by itself.
  routes.get('/d/v{slug}', [PageController, 'show']).default('slug', '..').name('part')
})

describe('fillPath()', () => {
  for (const [name, params, url, answer] of [
    ['list', { a: 'x', b: ['y', 'z'] }, '/l/x/y/z', 'list("x", "y", "z")'],
    ['list', { a: 'x', b: 'y/z' }, '/l/x/y/z', 'list("x", "y", "z")'],
    ['list', { a: 'x', b: ['y/z'] }, '/l/x/y%2Fz', 'list("x", "y/z")'],
    ['list', { a: 'x/y', b: 7 }, '/l/x%2Fy/7', 'list("x/y", "7")'],
    ['numbers', { b: [1, 2, 3] }, '/n/1/2/3', 'numbers(1, 2, 3)'],
    ['numbers', { b: '1/2' }, '/n/1/2', 'numbers(1, 2)'],
    ['numbers', { b: 4n }, '/n/4', 'numbers(4)'],
    ['flags', { b: [true, '0'] }, '/t/true/false', 'flags(true, false)'],
    ['two', { b: [1, 2] }, '/two/1/2', 'numbers(1, 2)'],
    ['file', { path: 'a/b.txt' }, '/f/a/b.txt', 'file("a/b.txt")'],
    ['show', { slug: 'a/b' }, '/s/a%2Fb', 'show("a/b")'],
    ['pair', { a: 'x', b: 'y' }, '/from-x-to-y.html', 'pair("x", "y")'],
    ['measure', { value: '1.50' }, '/m/1.50', 'measure(1.5)'],
    ['measure', { value: 2e3 }, '/m/2000', 'measure(2000)'],
    ['default', {}, '/d/x', 'show("x")'],
    ['part', {}, '/d/v..', 'show("..")'],
    ['default', { slug: undefined }, '/d/x', 'show("x")'],
    ['default', { slug: 'y' }, '/d/y', 'show("y")'],
    ['show', { slug: 'a', more: 'b' }, '/s/a?more=b', 'show("a")'],
  ] satisfies [string, UrlParams, string, string][]) {
    it(`makes ${url} of "${name}", which leads back`, () => {
      const written = app.url(name, params)

      assert.equal(written, url)
      assert.match(ask(app, written.replace(/\?.*/, '')), /^Site \w+\./)
      assert.ok(ask(app, written.replace(/\?.*/, '')).endsWith(answer))
    })
  }

  for (const [name, params, ...texts] of [
    ['list', { a: 'x', b: [] }, '"b" does not fit its type'],
    ['list', { a: 'x', b: [null] }, '"b" does not fit its type'],
    ['list', { a: 'x', b: ['y', undefined, 'z'] }, '"b" does not fit its type'],
    ['list', { a: 'x', b: Number.NaN }, '"b" does not fit its type'],
    ['list', { a: 'x', b: '' }, '"" for "b" cannot be a segment'],
    ['list', { a: 'x', b: 'y//z' }, '"" for "b" cannot be a segment'],
    ['list', { a: 'x', b: ['y', '..'] }, '".." for "b" cannot be a segment'],
    ['list', { a: ['x'], b: ['y'] }, '"a" does not fit its type'],
    ['numbers', { b: [1, 'x', 3] }, '"b" does not fit its type'],
    ['numbers', { b: '1/x' }, '"b" does not fit its type'],
    ['numbers', { b: ['1/2'] }, '"b" does not fit its type'],
    ['numbers', { b: Number.NaN }, '"b" does not fit its type'],
    ['two', { b: [1, 2, 3] }, '"b" does not fit its type and the constraint [0-9]+/[0-9]+'],
    ['file', { path: ['a', 'b'] }, '"path" does not fit its type'],
    ['show', { slug: ['a'] }, '"slug" does not fit its type'],
    ['pair', { a: '', b: 'y' }, 'reaches nothing'],
  ] satisfies [string, UrlParams, ...string[]][]) {
    it(`refuses ${JSON.stringify(params)} for "${name}"`, () => {
      assert.throws(() => app.url(name, params), fails('invalid-parameter', ...texts))
    })
  }

  for (const [name, params, missing] of [
    ['list', { a: 'x' }, 'pass a value for "b"'],
    ['list', { a: null, b: 'y' }, 'pass a value for "a"'],
    ['show', {}, 'pass a value for "slug"'],
  ] satisfies [string, UrlParams, string][]) {
    it(`asks for what ${JSON.stringify(params)} lacks for "${name}"`, () => {
      assert.throws(() => app.url(name, params), fails('missing-parameter', missing))
    })
  }
})
