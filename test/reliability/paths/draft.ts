/**
 * An application as plain data: what the framework is built from and what the oracle reads, so that the two share
 * nothing else.
 *
 * @module
 */

import type { param } from 'sallyport/routing'

/** What a parameter is read as: a built-in type, by the name that `param` has for it. */
export type BuiltInKind = Exclude<keyof typeof param, 'of' | 'rest'>

/** A parameter of an action. */
export interface ParameterDraft {
  readonly name: string
  readonly kind: BuiltInKind
  readonly role: 'required' | 'optional' | 'rest'
}

/** An action: its method, and what the convention makes of the name, written out by hand. */
export interface ActionDraft {
  readonly method: string
  /** The name in a URL, without the verb. */
  readonly segment: string
  /** The HTTP method that the name ends with; null for a bare name. */
  readonly verb: string | null
  readonly parameters: readonly ParameterDraft[]
}

/** A controller and the name that URLs have for it. */
export interface ControllerDraft {
  readonly name: string
  readonly segment: string
  readonly actions: readonly ActionDraft[]
}

/** Which action is meant. */
export interface Handler {
  readonly controller: string
  readonly method: string
}

/** A path for all locales, or one for each. */
export type PathDraft = string | Readonly<Record<string, string>>

/** A route of a table. */
export interface RouteDraft {
  readonly methods: readonly string[]
  readonly path: PathDraft
  readonly handler: Handler
  readonly where: Readonly<Record<string, string>>
  readonly priority: number
  readonly name: string
  /** The group around it; null: none. */
  readonly group: { readonly prefix: string; readonly middlewares: readonly string[] } | null
  readonly middlewares: readonly string[]
}

/** Stands for whatever segments a resolver is asked for; what it answers tells them. */
export const ANY = '*'

/**
 * @param answer What a resolver answers.
 * @param asked The segments that it was asked for.
 * @returns The arguments of the action: each list of segments is a resource of its own to one that answers all.
 */
export function argsOf(answer: ResolverAnswer, asked: readonly string[]): readonly string[] {
  return answer.segments === ANY ? [JSON.stringify(asked), ...answer.args.slice(1)] : answer.args
}

/** What a resolver says to some segments behind the entry point; to others it says nothing. */
export interface ResolverAnswer {
  /** Decoded segments, joined with a space; or any. */
  readonly segments: string
  readonly says: 'route' | 'null' | 'notFound' | 'refuse'
  readonly handler: Handler
  readonly args: readonly string[]
}

/** One declaration of a module. */
export type StepDraft =
  | { readonly kind: 'table'; readonly routes: readonly RouteDraft[] }
  | { readonly kind: 'claim'; readonly path: PathDraft; readonly routes: readonly RouteDraft[] }
  | {
      readonly kind: 'resolver'
      readonly priority: number
      readonly isAsync: boolean
      readonly answers: readonly ResolverAnswer[]
    }

/** A module. */
export interface ModuleDraft {
  readonly name: string
  /** Default segment. */
  readonly segment: string
  /** null: the default segment. */
  readonly mount: PathDraft | null
  readonly localized: boolean
  readonly convention: boolean
  readonly controllers: readonly ControllerDraft[]
  readonly middlewares: readonly string[]
  readonly steps: readonly StepDraft[]
}

/** An application. */
export interface ApplicationDraft {
  readonly policy: 'add' | 'remove' | 'preserve'
  readonly prefixes: boolean
  readonly locales: readonly string[]
  readonly modules: readonly ModuleDraft[]
}

/** The paths of a route, its group's prefix before them, by locale; null: every locale. */
export function pathsOf({ path, group }: RouteDraft): readonly (readonly [string | null, string])[] {
  const prefix = group?.prefix ?? ''
  if (typeof path === 'string') return [[null, prefix + path]]
  return Object.entries(path).map(([locale, own]) => [locale, prefix + own] as const)
}
