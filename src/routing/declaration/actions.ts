import type { FormParameter } from './form-parameter.ts'
import type { InputParameter } from './input-parameter.ts'
import type { RequiredParameter } from './param.ts'
import type { UrlParameter } from './parameter.ts'

/**
 * The action table of a controller, proven by the compiler: each name is a public method of `C`, and its parameters
 * have the declared types, in order. A method is an action only when the table names it; `undefined` withdraws an
 * inherited entry.
 *
 * Write `static readonly actions = { … } satisfies Actions<CartController>`, or, where a class is to be extended,
 * `static readonly actions: Actions<CartController> = { … }`.
 */
export type Actions<C> = {
  readonly [K in keyof C as C[K] extends (...args: never[]) => unknown ? K : never]?:
    | (C[K] extends (...args: infer P) => unknown ? Signature<P> : never)
    | undefined
}

// The parameters of a method, one after another; what is optional or variadic in it may stand last only.
type Signature<P extends readonly unknown[]> = P extends readonly []
  ? readonly []
  : P extends readonly [infer Last]
    ? readonly [RequiredParameter<Last> | InputParameter<Last> | FormParameter<Last>]
    : P extends readonly [infer Head, ...infer Tail]
      ? readonly [RequiredParameter<Head>, ...Signature<Tail>]
      : number extends P['length']
        ? VariadicSignature<P>
        : OptionalSignature<P>

type VariadicSignature<P extends readonly unknown[]> = P extends readonly (infer Item)[]
  ? Item[] extends P
    ? readonly [UrlParameter<Item, 'rest'>]
    : OptionalSignature<P>
  : never

// Here the first parameter is optional, and with it all that follow. A table may require what the method does not.
type OptionalSignature<P extends readonly unknown[]> = P extends readonly [(infer Head)?, ...infer Tail]
  ? Tail extends readonly []
    ? readonly [
        RequiredParameter<Head> | UrlParameter<Head, 'optional'> | InputParameter<Head> | FormParameter<Head>,
      ]
    : readonly [RequiredParameter<Head> | UrlParameter<Head, 'optional'>, ...Signature<Tail>]
  : never
