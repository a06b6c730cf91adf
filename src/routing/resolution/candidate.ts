import type { EntryPoint } from './entry-points.ts'
import type { Route } from '../route.ts'
import type { Step } from '../routed-module.ts'
import type { UrlPath } from '../url-path.ts'

/** A URL as it is read from one entry point on. Without a locale prefix there may be several. */
export interface Candidate {
  /** The HTTP method. */
  readonly method: string
  /** The path as it was sent. */
  readonly path: UrlPath
  /** Where it begins. */
  readonly point: EntryPoint
  /** How many segments the entry point takes. */
  readonly consumed: number
  /** The segments behind it. */
  readonly rest: readonly string[]
}

/** A route that a step found. */
export interface StepMatch {
  readonly kind: 'found'
  readonly route: Route
  /** The canonical spelling of the segments behind the entry point. */
  readonly canonical: readonly string[]
  /** Whether a table or the convention found it, which always answer alike; not a resolver. */
  readonly isRule: boolean
}

/** What a step says: a route, the methods that it has one for, or that it does not know the URL. */
export type Outcome = StepMatch | { readonly kind: 'refused'; readonly allowed: ReadonlySet<string> } | null

/** A value, or a promise where a resolver gave one. */
export type MaybePromise<T> = T | Promise<T>

/** Follows how a URL is resolved. */
export interface Trace {
  /** The entry points of the path are known. */
  located(path: UrlPath, candidates: readonly Candidate[]): void
  /** A resolver is about to be asked. */
  asking(step: Step & { kind: 'resolver' }, candidate: Candidate): void
  /** A step was asked. */
  asked(step: Step, candidate: Candidate, outcome: Outcome): void
  /** A route was found, and the canonical spelling of its URL; null: as sent. */
  spelled(candidate: Candidate, match: StepMatch, location: string | null): void
}
