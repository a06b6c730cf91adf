import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { declarationOf } from '../../src/inspection/route-types.ts'
import { compile, listed } from '../cli/fixture/compile.ts'
import { sallyport } from '../cli/fixture/run.ts'

const USE = `import type { HttpContext } from 'sallyport'
import type { RouteName, Router } from 'sallyport/routing'

export function accepted(router: Router, context: HttpContext, name: RouteName): RouteName {
  router.url('about')
  router.url('shop:product', { slug: 'green-tea' })
  router.url('shop:product', { slug: 'green-tea', page: 2 }, 'en')
  router.url('shop:item')
  router.url('shop:item', { id: 7 })
  router.url('shop:files', { path: ['a', 'b'] })
  router.url('shop:day', { year: 2026, month: 11 })
  context.url('shop:orders', undefined, 'fr')
  for (const each of ['about', 'shop:news'] as const) context.url(each)
  return name
}
`

const REFUSED = [
  ['a name that is not there', "router.url('shop:nothing')"],
  ['a missing value', "router.url('shop:product')"],
  ['a value of another name', "router.url('shop:product', { slag: 'a' })"],
  ['a value of another type', "router.url('shop:item', { id: 'seven' })"],
  ['a part of the values', "router.url('shop:day', { year: 2026 })"],
  ['one text for a list', "router.url('shop:files', { path: 'a' })"],
  ['a locale that is not there', "router.url('about', {}, 'de')"],
  ['a wrong name in a context', "context.url('shop:nothing')"],
] as const

describe('the declaration file', () => {
  it('has the compiler check names, values and locales of url()', async () => {
    const { out } = await sallyport(['routes', '--types', '--out', '-', '--app', 'application.ts'])
    const refused = REFUSED.map(([what, call]) => `  // @ts-expect-error -- ${what}\n  ${call}\n`).join('')
    const use = `${USE}\nexport function refused(router: Router, context: HttpContext): void {\n${refused}}\n`

    const { said } = compile({ 'routes.d.ts': out, 'use.ts': use })

    assert.equal(said, '')
  })

  it('has the compiler report the missing value and not the name of the route', () => {
    const order = { ...listed('shop:order'), name: 'shop:order' }
    const home = { ...listed('home'), parameters: [] }
    const use = `import { Controller, type HttpContext } from 'sallyport'
import type { RouteArguments, RouteName, Router } from 'sallyport/routing'
export class OrderController extends Controller {
  back(): Response {
    return this.redirectToRoute('shop:order')
  }
  moved(): Response {
    return this.redirectToRoute('home', {}, 301)
  }
}
export function linkTo<N extends RouteName>(context: HttpContext, name: N, ...rest: RouteArguments<N>): string {
  return context.url(name, ...rest)
}
export function urls(router: Router, context: HttpContext): void {
  context.url('shop:order')
  router.url('shop:order', { page: 2 })
  router.url('shop:order', { id: '7' })
  router.url('shop:oder', { id: 7 })
  context.url('hom')
  linkTo(context, 'shop:order')
}
`

    const { said } = compile({ 'routes.d.ts': declarationOf([order, home], ['en']).text, 'use.ts': use })

    assert.deepEqual(said.replaceAll(/^.*use\.ts/gm, 'use.ts').split('\n'), [
      'use.ts(5,17): error TS2554: Expected 2-3 arguments, but got 1.',
      'use.ts(15,11): error TS2554: Expected 2-3 arguments, but got 1.',
      `use.ts(16,28): error TS2345: Argument of type '{ page: number; }' is not assignable to parameter of type 'WithQuery<RegisteredRoutes, "shop:order">'.`,
      "  Property 'id' is missing in type '{ page: number; }' but required in type 'Values2'.",
      "use.ts(17,30): error TS2322: Type 'string' is not assignable to type 'number | bigint'.",
      `use.ts(18,14): error TS2345: Argument of type '"shop:oder"' is not assignable to parameter of type 'keyof RegisteredRoutes'.`,
      `use.ts(19,15): error TS2345: Argument of type '"hom"' is not assignable to parameter of type 'keyof RegisteredRoutes'.`,
      'use.ts(20,3): error TS2554: Expected 3-4 arguments, but got 2.',
      '',
    ])
  })

  it('leaves names open for an application without it', () => {
    const use = USE.replace('void name', "router.url('anything', { id: 1 }, 'de')")

    const { said } = compile({ 'use.ts': use })

    assert.equal(said, '')
  })

  it('is the same text for the same routes in any order, and quotes what has to be', () => {
    const [one, other] = [listed('shop:one'), listed("shop:o'ther")]

    const { text, names } = declarationOf([one, other], ['pt-BR'])

    assert.equal(names, 2)
    assert.equal(text, declarationOf([other, one], ['pt-BR']).text)
    assert.match(text, /^type Values1 = \{ id: number \| bigint \}$/m)
    assert.match(text, /^ {4}'shop:o\\'ther': Values1$/m)
    assert.match(text, /^ {4}'pt-BR': true$/m)
  })

  it('has the compiler check values of types of the application [HOLD-36]', () => {
    const [id] = listed('shop:day').parameters.map((each) => ({ ...each, name: 'day', kind: 'day' }))
    assert.ok(id !== undefined)
    const day = { ...listed('shop:day'), parameters: [{ ...id, typescript: 'Date' }] }
    const days = { ...listed('shop:days'), parameters: [{ ...id, typescript: 'Date', isList: true }] }
    const use = `import type { Router } from 'sallyport/routing'
export function use(router: Router): void {
  router.url('shop:day', { day: new Date(0), page: 2 })
  router.url('shop:days', { day: [new Date(0)] })
  // @ts-expect-error -- of another type
  router.url('shop:day', { day: 5 })
  // @ts-expect-error -- of another type
  router.url('shop:days', { day: new Date(0) })
  // @ts-expect-error -- missing
  router.url('shop:day', {})
}
`
    const { said } = compile({ 'use.ts': use, 'routes.d.ts': declarationOf([day, days], []).text })

    assert.equal(said, '')
  })

  it('names its own types so that no type of the application is another one in it [HOLD-36]', () => {
    const [id] = listed('shop:one').parameters.map((each) => ({ ...each, name: 'day' }))
    assert.ok(id !== undefined)
    const day = { ...listed('shop:day'), parameters: [{ ...id, typescript: 'Values2 | Values_1' }] }
    const globals = `declare global {
  interface Values2 { readonly own: 2 }
  interface Values_1 { readonly own: 1 }
}
export {}
`
    const use = `import type { Router } from 'sallyport/routing'
export function use(router: Router, two: Values2, one: Values_1): void {
  router.url('shop:day', { day: two })
  router.url('shop:day', { day: one })
  // @ts-expect-error -- of another type
  router.url('shop:day', { day: { id: 5 } })
}
`
    const { text } = declarationOf([day, listed('shop:one')], [])

    const { said } = compile({ 'globals.ts': globals, 'use.ts': use, 'routes.d.ts': text })

    assert.equal(said, '')
  })

  it('keeps each name one text in one line, whatever it holds', () => {
    const names = ['a\rb', 'a\nb', 'a\u2028b', 'a\u0000b', 'a\u001bb', 'a\u0085b', 'a\ud800b', "a'b\\"]
    const { text } = declarationOf(names.map(listed), [])

    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u)
    assert.equal(
      text.split('\n').length,
      declarationOf(
        names.map((_, at) => listed(`n${at}`)),
        [],
      ).text.split('\n').length,
    )
    const { said } = compile({
      'routes.d.ts': text,
      'use.ts': `import type { RouteName } from 'sallyport/routing'
export const names: readonly RouteName[] = ${JSON.stringify(names)}
`,
    })
    assert.equal(said, '')
  })

  it('does not slow the compiler with 2,000 routes', (t) => {
    const names = Array.from({ length: 2000 }, (_, index) => `shop:route${index}`)
    const { text } = declarationOf(names.map(listed), [])
    const calls = names.filter((_, index) => index % 10 === 0)
    const checked = calls.map((name) => `  router.url('${name}', { id: 1 })`).join('\n')
    const use = `import type { Router } from 'sallyport/routing'
export function use(router: Router): void {\n${checked}\n}\n`

    const without = compile({ 'use.ts': use })
    const withTypes = compile({ 'use.ts': use, 'routes.d.ts': text })

    assert.equal(without.said, '')
    assert.equal(withTypes.said, '')
    const seconds = `${without.seconds.toFixed(2)} s without, ${withTypes.seconds.toFixed(2)} s with`
    t.diagnostic(`2,000 routes, 200 calls: ${seconds} the declaration file`)
  })
})
