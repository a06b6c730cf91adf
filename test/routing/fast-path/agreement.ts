/**
 * The fast path beside the resolution that it stands for: whatever it answers, the resolution answers alike.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Actions, param, type Router } from 'sallyport/routing'
import type { ModuleStep } from '../../../src/routing/internal.ts'
import { ask, PageController, show, table } from '../fixture.ts'

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

/** A table with an entry point, a literal, a number, a text and a route for another method. */
export const pages: ModuleStep = table((routes) => {
  routes.get('', [PageController, 'index'])
  routes.get('/about', [PageController, 'other'])
  routes.get('/item/{id}', [PageController, 'item'])
  routes.get('/show/{slug}', [PageController, 'show'])
  routes.post('/save', [PageController, 'save'])
})

/** Asserts that a router answers as its resolution does, which decodes every path and asks every step; also when asked again. */
export function assertAgrees(app: Router, method: string, path: string): void {
  const expected = app.model().resolution.resolve(method, path)
  assert.ok(!(expected instanceof Promise))
  for (const time of ['first', 'second'])
    assert.equal(show(app.match(method, path)), show(expected), `${method} ${path}, the ${time} time`)
}

/** Declares a test for each request: what it comes to, on the fast path and without it. */
export function answers(app: Router, expected: Readonly<Record<string, string>>): void {
  for (const [request, answer] of Object.entries(expected))
    it(`${request}: ${answer}`, () => {
      assert.equal(ask(app, request), answer)
      assertAgrees(app, ...split(request))
    })
}

/** Declares a test for requests that the fast path must not take for what they look like. */
export function agree(app: Router, requests: readonly string[]): void {
  for (const request of requests) it(request, () => assertAgrees(app, ...split(request)))
}

function split(request: string): readonly [method: string, path: string] {
  const space = request.indexOf(' /')
  return space === -1 ? ['GET', request] : [request.slice(0, space), request.slice(space + 1)]
}
