import { describe } from 'node:test'

import type { StandardSchema } from 'sallyport/input'
import { type Actions, input, param, type Router } from 'sallyport/routing'

import { claim, module, resolver, router } from './fixture.ts'
import { type Refused, refuses } from './refusals.ts'
import type { ControllerClass } from '../../src/routing/index.ts'

class CartController {
  static readonly actions: Actions<CartController> = { index: [] }
  index(): void {}
}

class Cart extends CartController {}

function Bodiless(): void {}
Object.defineProperty(Bodiless, 'prototype', { value: null })

const french = { locales: ['fr', 'en'], localePrefixes: true }
const nothing = (): void => undefined
const schema: StandardSchema = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
}

function listing(controller: ControllerClass): Router {
  return router([module('Shop', { controllers: [controller] })])
}

const REFUSALS: readonly Refused[] = [
  [
    () => router([module('Shop', { localized: true })]),
    'locale-prefixes-disabled: Cannot mount module "Shop": it is localized(); switch locale prefixes on with routing()',
  ],
  [
    () => router([module('Shop', { localized: true })], { localePrefixes: true }),
    'locales-undeclared: Cannot mount module "Shop": it is localized(); declare the locales of the application',
  ],
  [
    () => router([module('One', { mount: '/' }), module('Two', { mount: '/' })]),
    'root-mount-conflict: Cannot mount module "Two": module "One" is mounted on "/" already; mount one elsewhere',
  ],
  [
    () => router([module('One', { mount: 'x' }), module('Two', { mount: 'x' })]),
    'mount-conflict: Cannot mount module "Two": module "One" is mounted on "x" already; mount one elsewhere',
  ],
  [
    () => router([module('One', { mount: 'X' })]),
    'invalid-pattern: Cannot mount module "One": "X" is not a valid mount; use one segment of a to z, 0 to 9 and single hyphens between them, such as "shop"',
  ],
  [
    () => router([module('One', { mount: 'a/b' })]),
    'invalid-pattern: Cannot mount module "One": "a/b" is not a valid mount; use one segment of a to z, 0 to 9 and single hyphens between them, such as "shop"',
  ],
  [
    () => router([module('One', { mount: 'fr' })], french),
    'mount-conflict: Cannot mount module "One": "fr" is a locale prefix; mount it elsewhere',
  ],
  [
    () =>
      router([
        module('One', { steps: [claim('/x', nothing)] }),
        module('Two', { steps: [claim('/x', nothing)] }),
      ]),
    'claim-conflict: Cannot mount module "Two": it claims "/x", and so does module "One"; drop one claim',
  ],
  [
    () => router([module('One', { steps: [claim('/', nothing)] })]),
    'claim-of-root: Cannot mount module "One": it claims the root; mount it on "/" instead',
  ],
  [
    () => router([module('One', { steps: [claim('', nothing)] })]),
    'claim-of-root: Cannot mount module "One": it claims the root; mount it on "/" instead',
  ],
  [
    () => router([module('One', { steps: [claim('x', nothing)] })]),
    'invalid-pattern: Cannot mount module "One": it cannot claim "x"; use literal segments, such as "/news"',
  ],
  [
    () => router([module('One', { steps: [claim('/x/{y}', nothing)] })]),
    'invalid-pattern: Cannot mount module "One": it cannot claim "/x/{y}"; use literal segments, such as "/news"',
  ],
  [
    () => router([module('One', { steps: [claim('/x//y', nothing)] })]),
    'invalid-pattern: Cannot mount module "One": it cannot claim "/x//y"; use literal segments, such as "/news"',
  ],
  [
    () => router([module('One', { steps: [claim('/fr/x', nothing)] })], french),
    'claim-conflict: Cannot mount module "One": it claims "/fr/x", which begins with a locale prefix; claim another path',
  ],
  [
    () => router([module('One'), module('Two', { steps: [claim('/One/x', nothing)] })]),
    'claim-inside-mount: Cannot mount module "Two": it claims "/One/x" inside the segment of module "One"; claim another path',
  ],
  [
    () => router([module('One', { mount: { fr: 'un' } })]),
    'locale-prefixes-disabled: Cannot mount module "One": it has a path for each locale; switch locale prefixes on with routing()',
  ],
  [
    () => router([module('One', { mount: { fr: 'un' } })], french),
    'localized-required: Cannot mount module "One": it has a path for each locale; declare it localized()',
  ],
  [
    () => router([module('One', { localized: true, mount: {} })], french),
    'invalid-pattern: Cannot mount module "One": its map of paths by locale is empty',
  ],
  [
    () => router([module('One', { localized: true, mount: { de: 'eins' } })], french),
    'locales-undeclared: Cannot mount module "One": it names the locale "de", which the application does not declare',
  ],
  [
    () => router([module('One', { middlewares: [class Wrong {}] as never })]),
    'invalid-middleware: Cannot use class Wrong as a middleware of module "One": pass a class with a method process(context, next)',
  ],
  [
    () => router([module('One', { steps: [resolver({ resolve: () => null }, NaN)] })]),
    'invalid-resolver: Cannot use a resolver of module "One" with the priority NaN: it must be a finite number; lower runs first, the table is at 0, the convention at 1000',
  ],
  [
    () => router([module('One', { middlewares: [Bodiless] as never })]),
    'invalid-middleware: Cannot use function Bodiless as a middleware of module "One": pass a class with a method process(context, next)',
  ],
  [
    () => listing('x' as never),
    'invalid-action: Cannot use "x" as a controller: it must be a class (in module "Shop")',
  ],
  [
    () => listing((() => undefined) as never),
    'invalid-action: Cannot use a function as a controller: it must be a class (in module "Shop")',
  ],
  [
    () => listing(Bodiless as never),
    'invalid-action: Cannot use function Bodiless as a controller: it must be a class (in module "Shop")',
  ],
  [
    () =>
      listing(
        class {
          static readonly actions = {}
        },
      ),
    'invalid-action: Cannot use a class without a name as a controller: name the class (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = null as never
        },
      ),
    'invalid-action: Cannot use the actions of C: static actions is null; it must be a plain object, such as { index: [] } (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = 5 as never
        },
      ),
    'invalid-action: Cannot use the actions of C: static actions is 5; it must be a plain object, such as { index: [] } (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { constructor: [] } as never
        },
      ),
    'invalid-action: Cannot use the actions of C: "constructor" can never be an action (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { __call: [] } as never
          __call(): void {}
        },
      ),
    'invalid-action: Cannot use the actions of C: "__call" can never be an action (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [] }
        },
      ),
    'invalid-action: Cannot use the actions of C: it has no method "a" (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [] }
          static a(): void {}
        },
      ),
    'invalid-action: Cannot use the actions of C: "a" is static; an action must be an instance method (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [] }
          get a(): number {
            return 1
          }
        },
      ),
    'invalid-action: Cannot use the actions of C: "a" is not a method (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { toString: [] }
        },
      ),
    'invalid-action: Cannot use the actions of C: it has no method "toString" (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: {} as never }
          a(): void {}
        },
      ),
    `invalid-action: Cannot use the actions of C: the entry of a is an object; it must be a list of parameters, such as [param.string('slug')] (in module "Shop")`,
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [], aGet: [] }
          a(): void {}
          aGet(): void {}
        },
      ),
    'verb-conflict: Cannot tell C::a and C::aGet apart: both answer GET; keep one of them (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { aB: [], 'a-b': [] }
          aB(): void {}
          'a-b'(): void {}
        },
      ),
    'invalid-action: Cannot use the actions of C: C::aB and C::a-b are spelled alike in a URL, "a-b"; rename one of them (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [input(schema), param.string('x')] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: input() must be the last parameter, and there can be only one (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: ['x' as never] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: parameter 1 is "x"; use param.…(), input() or form() (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [param.rest(param.string('x')), param.string('y')] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: param.rest() must be the last parameter (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [param.rest(param.string('x')), input(schema)] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: param.rest() must be the last parameter (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [param.string('x').optional(), param.string('y')] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: the required parameter "y" follows an optional one (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [param.string('')] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: parameter 1 has the name ""; it must be a non-empty string without control characters (in module "Shop")',
  ],
  [
    () =>
      listing(
        class C {
          static readonly actions = { a: [param.string('x'), param.int('x')] }
          a(): void {}
        },
      ),
    'invalid-parameter: Cannot use the signature of C::a: two parameters are named "x" (in module "Shop")',
  ],
  [
    () => router([module('Shop', { controllers: [CartController, Cart] })]),
    'invalid-action: Cannot list CartController and Cart, which a URL spells alike, "cart": rename one of them (in module "Shop")',
  ],
]

describe('what a router says when it refuses to begin', () => {
  refuses(REFUSALS)
})
