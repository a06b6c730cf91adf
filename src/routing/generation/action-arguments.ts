import type { ControllerClass } from '../declaration/controller-class.ts'
import type { UrlLocale } from './url-params.ts'

/**
 * What follows the handler in `urlFor()`: the arguments of the action as its table declares them, without input, then
 * the locale. They may be left out when the action requires none.
 */
export type ActionArguments<C extends ControllerClass, M extends string> =
  TableEntry<C, M> extends infer Args extends readonly unknown[]
    ? readonly [] extends Args
      ? [args?: Args | undefined, locale?: UrlLocale | undefined]
      : [args: Args, locale?: UrlLocale | undefined]
    : never

// What an ancestor's table names is not in the type of the class: then the method itself is all that is known.
type TableEntry<C extends ControllerClass, M extends string> = C extends {
  readonly actions: infer T
}
  ? M extends keyof T
    ? Exclude<T[M], undefined> extends infer S extends readonly unknown[]
      ? ArgumentsOf<S>
      : never
    : MethodArguments<InstanceType<C>, M>
  : MethodArguments<InstanceType<C>, M>

type MethodArguments<I, M extends string> = M extends keyof I
  ? I[M] extends (...args: infer P) => unknown
    ? Readonly<Partial<P>>
    : never
  : never

type ArgumentsOf<S extends readonly unknown[]> = S extends readonly []
  ? readonly []
  : S extends readonly [infer Head, ...infer Tail]
    ? Argument<RoleOf<Head>, ValueOf<Head>, Tail>
    : readonly unknown[]

// A table that is annotated leaves open what its entries are; what may be input or optional may be left out.
type Argument<Role, Value, Tail extends readonly unknown[]> = [Role] extends ['input' | 'form']
  ? readonly []
  : [Role] extends ['rest']
    ? readonly Value[]
    : [Role] extends ['required']
      ? readonly [Value, ...ArgumentsOf<Tail>]
      : readonly [(Value | undefined)?, ...Optional<ArgumentsOf<Tail>>]

type Optional<T extends readonly unknown[]> = { readonly [K in keyof T]?: T[K] | undefined }

type RoleOf<P> = P extends { readonly role: infer Role } ? Role : never

type ValueOf<P> = P extends { readonly parse: (text: string) => infer Value }
  ? Exclude<Value, undefined>
  : never
