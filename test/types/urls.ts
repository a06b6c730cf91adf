// Compiles only: what `urlFor()` proves without a generated file, and what `url()` leaves open without one.
import { type Controller, type HttpContext } from 'sallyport'
import { type Actions, input, param, type Router } from 'sallyport/routing'
import { type AddToCart, addToCart } from './schema.ts'

class CartController {
  static readonly actions = {
    index: [],
    show: [param.string('slug')],
    add: [param.int('product')],
    addPost: [param.int('product'), input(addToCart)],
    save: [input(addToCart)],
    tags: [param.rest(param.string('tag'))],
    page: [param.string('slug'), param.int('from').optional(), param.bool('all').optional()],
  } satisfies Actions<CartController>

  readonly count: number = 0
  index(): void {}
  show(_slug: string): void {}
  add(_product: number): void {}
  addPost(_product: number, _item: AddToCart): void {}
  save(_item: AddToCart): void {}
  tags(..._tags: string[]): void {}
  page(_slug: string, _from?: number, _all?: boolean): void {}
}

class AnnotatedController {
  static readonly actions: Actions<AnnotatedController> = { item: [param.int('id')], list: [] }
  item(_id: number): void {}
  list(): void {}
}

class DerivedController extends AnnotatedController {
  static override readonly actions: Actions<DerivedController> = { more: [param.string('of')] }
  more(_of: string): void {}
}

export function accepted(router: Router, context: HttpContext): void {
  router.urlFor([CartController, 'index'])
  router.urlFor([CartController, 'index'], [], 'fr')
  router.urlFor([CartController, 'show'], ['green-tea'])
  router.urlFor([CartController, 'add'], [42])
  router.urlFor([CartController, 'addPost'], [42], 'fr')
  router.urlFor([CartController, 'save'])
  router.urlFor([CartController, 'tags'], ['a', 'b'])
  router.urlFor([CartController, 'tags'])
  router.urlFor([CartController, 'page'], ['a'])
  router.urlFor([CartController, 'page'], ['a', 1, true])
  router.urlFor([CartController, 'page'], ['a', undefined])
  router.urlFor([AnnotatedController, 'item'], [7])
  router.urlFor([DerivedController, 'more'], ['a'])
  router.urlFor([DerivedController, 'item'], [7])
  context.urlFor([CartController, 'add'], [42])
  context.urlFor([CartController, 'index'], undefined, 'en')
  router.url('shop:product', { slug: 'a', page: 2, tags: ['x', 'y'] }, 'fr')
  context.url('home')
}

export function refused(router: Router, context: HttpContext): void {
  // @ts-expect-error -- an argument is missing
  router.urlFor([CartController, 'add'])
  // @ts-expect-error -- of another type
  router.urlFor([CartController, 'add'], ['42'])
  // @ts-expect-error -- one too many
  router.urlFor([CartController, 'index'], [1])
  // @ts-expect-error -- input is no part of a URL
  router.urlFor([CartController, 'addPost'], [42, { quantity: 1 }])
  // @ts-expect-error -- one of them is of another type
  router.urlFor([CartController, 'tags'], ['a', 1])
  // @ts-expect-error -- the second is a number
  router.urlFor([CartController, 'page'], ['a', 'b'])
  // @ts-expect-error -- there is no such method
  router.urlFor([CartController, 'nothing'])
  // @ts-expect-error -- a property is no method
  router.urlFor([CartController, 'count'], [])
  // @ts-expect-error -- of another type, the table being annotated
  router.urlFor([AnnotatedController, 'item'], ['7'])
  // @ts-expect-error -- of another type, the action being inherited
  router.urlFor([DerivedController, 'item'], ['7'])
  // @ts-expect-error -- in a context, too
  context.urlFor([CartController, 'add'])
  // @ts-expect-error -- an object cannot stand in a URL
  context.url('shop:product', { slug: {} })
}

export type Used = Controller
