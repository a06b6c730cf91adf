import { whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { InvalidMethodOverrideException, type Middleware, type Next } from '../http/index.ts'
import type { Form } from '../input/index.ts'

const FIELD = '_method'
const HEADER = 'x-http-method-override'
const TARGETS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/**
 * Lets a POST act as PUT, PATCH or DELETE, by the field `_method` of an HTML form or the header `X-HTTP-Method-Override`.
 * Register it in the incoming band.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { MethodOverrideMiddleware } from 'sallyport/middleware'
 * import { param } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 *
 * class NoteController extends Controller {
 *   static readonly actions = { indexDelete: [param.int('id')] }
 *   indexDelete(id: number) {
 *     return { deleted: id }
 *   }
 * }
 * const app = App.default().modules(defineModule('Notes', (module) => module.controllers(NoteController)))
 * app.middleware().incoming(MethodOverrideMiddleware)
 *
 * const answer = await new TestClient(app).post('/notes/note/7', { form: { _method: 'DELETE' } })
 * assert.deepEqual(await answer.json(), { deleted: 7 })
 * ```
 *
 * @see Clauses OVR-01 to OVR-09.
 */
export class MethodOverrideMiddleware implements Middleware {
  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {InvalidMethodOverrideException} If the targets differ, or one is not PUT, PATCH or DELETE.
   */
  process(context: HttpContext, next: Next): Response | Promise<Response> {
    if (context.method() !== 'POST') return next()
    return whenReady(context.readForm(), (form) => {
      override(context, form)
      return next()
    })
  }
}

function override(context: HttpContext, form: Form | null): void {
  const targets = new Set<string>()
  for (const value of form?.all(FIELD) ?? []) targets.add(normalize(value))
  // Two header lines arrive as one value with a comma, which is not a valid target, so the response is a 400.
  targets.add(normalize(context.header(HEADER) ?? ''))
  targets.delete('')
  if (targets.size > 1) throw new InvalidMethodOverrideException('The method overrides disagree')
  for (const target of targets) {
    if (!TARGETS.has(target))
      throw new InvalidMethodOverrideException('A POST can override to PUT, PATCH and DELETE only')
    context.overrideMethod(target)
  }
}

function normalize(value: unknown): string {
  return typeof value === 'string' ? value.trim().toUpperCase() : 'a file'
}
