import type { StandardSchema } from '../../input/index.ts'
import { type InputOptions, readBodyTypes, type SchemaOutput } from '../../input/internal.ts'

/** The one parameter of an action that is filled from query and body. Made by {@link input}. */
export class InputParameter<T = unknown> {
  /** Tells it from the parameters that are filled from the URL. */
  readonly role = 'input'
  /** The schema that judges query and body. */
  readonly schema: StandardSchema<unknown, T>
  /** Media types of the bodies that are read; null: all that can be. */
  readonly types: readonly string[] | null

  /**
   * @param schema Any Standard Schema.
   * @param options The bodies that are read. Default: all that can be.
   * @throws {TypeError} If an option is unknown, or the types are not a list of types that can be read.
   */
  constructor(schema: StandardSchema<unknown, T>, options: InputOptions = {}) {
    this.schema = schema
    this.types = readBodyTypes(options)
    Object.freeze(this)
  }
}

/**
 * The parameter that an action takes from query and body, last in its signature and at most once. It consumes no
 * segment of the URL.
 *
 * @param schema Any Standard Schema.
 * @param options `types`: media types of bodies that are read, such as `['application/json']`; others are a 415. Default:
 * JSON and forms.
 * @returns The parameter.
 * @throws {TypeError} If an option is unknown, or the types are not a list of types that can be read.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { type Actions, input } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 * import { z } from 'zod'
 *
 * const Order = z.object({ product: z.string().min(1), quantity: z.coerce.number().int().positive() })
 *
 * class OrderController extends Controller {
 *   static readonly actions = { indexPost: [input(Order)] } satisfies Actions<OrderController>
 *
 *   indexPost(order: z.infer<typeof Order>) {
 *     return { ordered: order.quantity }
 *   }
 * }
 * const client = new TestClient(
 *   App.default().modules(defineModule('Shop', (module) => module.controllers(OrderController))),
 * )
 *
 * const ordered = await client.post('/shop/order', { json: { product: 'tea', quantity: '2' } })
 * assert.deepEqual(await ordered.json(), { ordered: 2 })
 * assert.equal((await client.post('/shop/order', { json: { product: 'tea', quantity: 0 } })).status, 422)
 * ```
 */
export function input<S extends StandardSchema>(
  schema: S,
  options: InputOptions = {},
): InputParameter<SchemaOutput<S>> {
  return new InputParameter(schema, options)
}
