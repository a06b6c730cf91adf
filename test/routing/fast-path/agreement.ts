/**
 * The short way of a look-up alone, for tests of what it answers and what it leaves to the long way.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Actions, param, TrailingSlash } from 'sallyport/routing'
import { ActionCatalog } from '../../../src/routing/declaration/action-catalog.ts'
import { DirectLookup } from '../../../src/routing/fast-path/fast-path.ts'
import { EntryPoints } from '../../../src/routing/resolution/entry-points.ts'
import { LocaleSet } from '../../../src/routing/locale-set.ts'
import { RoutedModule } from '../../../src/routing/routed-module.ts'
import { Spelling } from '../../../src/routing/spelling.ts'
import { PageController, show, table } from '../fixture.ts'
import type { ModuleRouting, ModuleStep } from '../../../src/routing/internal.ts'

/** Answers at the entry point of its module. */
export class IndexController {
  static readonly actions: Actions<IndexController> = { index: [] }
  index(): void {}
}
/** Has an action with an optional argument, and one for another method. */
export class CartController {
  static readonly actions: Actions<CartController> = {
    index: [],
    show: [param.string('slug').optional()],
    addPost: [],
  }
  index(): void {}
  show(_slug?: string): void {}
  addPost(): void {}
}

interface Policy {
  readonly locales?: readonly string[]
  readonly trailingSlash?: TrailingSlash
}

/** The short way alone, as a router has it. */
export function shortWay(declared: readonly ModuleRouting[], policy: Policy = {}): DirectLookup {
  const { locales: tags = [], trailingSlash = TrailingSlash.Preserve } = policy
  const catalog = new ActionCatalog()
  const locales = new LocaleSet(tags)
  const localePrefixes = tags.length > 0
  const spelling = new Spelling({ locales, localePrefixes, trailingSlash })
  const modules = declared.map(
    (each) =>
      new RoutedModule(each, {
        catalog,
        locales,
        spelling,
        segments: new Map(),
        service: (type) => new type(),
      }),
  )
  return new DirectLookup(modules, new EntryPoints(modules, locales, localePrefixes), spelling)
}

/** What it says in short, and `long way` when it leaves a path to the resolution. */
function tell(lookup: DirectLookup, request: string): string {
  const space = request.indexOf(' /')
  const [method, path] = space === -1 ? ['GET', request] : [request.slice(0, space), request.slice(space + 1)]
  const match = lookup.match(method, path)
  return match === null ? LONG : show(match)
}

/** Declares a test for each request: what the short way says, also when it is asked again. */
export function expect(lookup: DirectLookup, answers: Readonly<Record<string, string>>): void {
  for (const [request, answer] of Object.entries(answers))
    it(`${request}: ${answer}`, () => {
      assert.equal(tell(lookup, request), answer)
      assert.equal(tell(lookup, request), answer, 'the second time')
    })
}

/** What is left to the resolution. */
export const LONG = 'long way'

/** A table with an entry point, a literal, a number, a text and a route for another method. */
export const pages: ModuleStep = table((routes) => {
  routes.get('', [PageController, 'index'])
  routes.get('/about', [PageController, 'other'])
  routes.get('/item/{id}', [PageController, 'item'])
  routes.get('/show/{slug}', [PageController, 'show'])
  routes.post('/save', [PageController, 'save'])
})
