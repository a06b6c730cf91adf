// Compiles only: what `Actions<C>` and the routing calls prove, and what they refuse.
import type { Submitted } from 'sallyport/input'
import {
  type Actions,
  form,
  input,
  param,
  type ResolverClass,
  type Router,
  type Routes,
} from 'sallyport/routing'
import { type AddToCart, addToCart, otherSchema } from './schema.ts'

class CartController {
  static readonly actions = {
    index: [],
    show: [param.string('slug')],
    addPost: [param.int('product'), input(addToCart)],
    tags: [param.rest(param.string('tag'))],
    page: [param.string('slug'), param.int('from').optional(), param.bool('all').optional()],
    strict: [param.int('from')],
    mixed: [param.float('ratio'), param.rest(param.int('more'))],
    either: [param.int('id')],
    // PAGE-01: the action takes what form() gives, by the type of the schema or that of its values.
    orderPost: [param.int('product'), form(addToCart, { secret: ['pin'] })],
    valuePost: [form(addToCart)],
    maybePost: [form(addToCart)],
    later: [],
  } satisfies Actions<CartController>

  readonly count: number = 0
  async index(): Promise<void> {}
  show(slug: string): object {
    return { slug }
  }
  addPost(product: number, item: AddToCart): number {
    return product * item.quantity
  }
  tags(...tags: string[]): string[] {
    return tags
  }
  page(_slug: string, _from?: number, _all = false): void {}
  strict(_from?: number): void {}
  mixed(_ratio: number, ..._more: number[]): void {}
  either(_id: number | string): void {}
  orderPost(_product: number, order: Submitted<typeof addToCart>): number | string {
    if (order.ok) return order.value.quantity
    return order.violations.length + order.value('quantity')
  }
  valuePost(order: Submitted<AddToCart>): void {
    // @ts-expect-error nobody knows yet whether it was accepted
    void order.value.quantity
  }
  maybePost(_order?: Submitted<AddToCart>): void {}
  later(): void {}
  #hidden(): void {}
  protected helper(): void {}
  private own(): void {
    this.#hidden()
    this.helper()
  }
  reachable(): void {
    this.own()
  }
}

const proven: Actions<CartController> = CartController.actions

// A table may be annotated too, which lets a class be extended by one with a table of its own.
class BaseController {
  static readonly actions: Actions<BaseController> = { show: [param.string('slug')] }
  show(_slug: string): void {}
}
class DerivedController extends BaseController {
  static override readonly actions: Actions<DerivedController> = { show: undefined, list: [] }
  list(): void {}
}

const refused: Actions<CartController>[] = [
  // @ts-expect-error no such method
  { nothing: [] },
  // @ts-expect-error no method
  { count: [] },
  // @ts-expect-error protected
  { helper: [] },
  // @ts-expect-error private
  { own: [] },
  // @ts-expect-error a parameter is missing
  { show: [] },
  // @ts-expect-error one too many
  { index: [param.string('slug')] },
  // @ts-expect-error another type
  { show: [param.int('slug')] },
  // @ts-expect-error another order
  { addPost: [input(addToCart), param.int('product')] },
  // @ts-expect-error a required parameter would be missing
  { show: [param.string('slug').optional()] },
  // @ts-expect-error variadic, so rest()
  { tags: [param.string('tag')] },
  // @ts-expect-error another type of rest
  { tags: [param.rest(param.int('tag'))] },
  // @ts-expect-error not variadic
  { show: [param.rest(param.string('slug'))] },
  // @ts-expect-error the schema gives something else
  { show: [input(addToCart)] },
  // @ts-expect-error form() gives Submitted, and not the value
  { addPost: [param.int('product'), form(addToCart)] },
  // @ts-expect-error input() gives the value, and not Submitted
  { valuePost: [input(addToCart)] },
  // @ts-expect-error another schema
  { valuePost: [form(otherSchema)] },
  // @ts-expect-error form() stands last
  { orderPost: [form(addToCart), param.int('product')] },
  // @ts-expect-error no such option
  { valuePost: [form(addToCart, { secrets: ['pin'] })] },
  // @ts-expect-error no parameter
  { show: ['slug'] },
  // @ts-expect-error rest() of an optional one
  { tags: [param.rest(param.string('tag').optional())] },
]

function declare(routes: Routes, router: Router): void {
  routes.get('/', [CartController, 'index']).name('home')
  routes
    .get({ fr: '/panier', en: '/cart' }, [CartController, 'show'])
    .where('slug', '[a-z]+')
    .default('slug', 'x')
  routes.post('/', 'CartController::addPost')
  routes.get('/', CartController)
  // @ts-expect-error no such member
  routes.get('/', [CartController, 'nothing'])
  // @ts-expect-error no value of a URL
  routes.get('/', [CartController, 'index']).default('slug', {})
  router.url('shop:product', { slug: 'x', page: 2, tags: ['a', null], none: undefined })
  router.urlFor([CartController, 'addPost'], [5], 'fr')
  // @ts-expect-error no such member
  router.urlFor([CartController, 'nothing'])
  router.urlFor([CartController, 'orderPost'], [5])
  // @ts-expect-error a form is no part of a URL
  router.urlFor([CartController, 'orderPost'], [5, {}])
  // @ts-expect-error an object is no value of a URL
  router.url('shop:product', { slug: {} })
}

class Pages {
  resolve: InstanceType<ResolverClass>['resolve'] = (request) => {
    const route = request.route(CartController, 'show', { args: ['x'], bindings: { page: { title: 'x' } } })
    return request.segments.length > 0 ? route : null
  }
}

/** What was compiled. */
export const compiled: readonly unknown[] = [proven, refused, declare, Pages, DerivedController]
