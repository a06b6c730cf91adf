import type { ActionDraft, ControllerDraft } from './draft.ts'
import { lowered } from './oracle-path.ts'
import { coerce } from './oracle-table.ts'

/** A conventional action with its arguments, and the segments as they are spelled canonically. */
export interface ConventionHit {
  readonly controller: string
  readonly action: ActionDraft
  readonly args: readonly unknown[]
  readonly canonical: readonly string[]
}

/** What the convention is asked. */
export interface ConventionQuestion {
  readonly method: string
  readonly rest: readonly string[]
  readonly controllers: readonly ControllerDraft[]
  /** Whether a table or claim of the module routes to an action. */
  readonly owns: (controller: string, method: string) => boolean
}

const INVOKE = '__invoke'

/**
 * Maps `controller/action/params`: clauses CONV.
 *
 * @returns The action; the methods that the URL answers instead; null when nothing is known.
 */
export function askConvention(question: ConventionQuestion): ConventionHit | ReadonlySet<string> | null {
  const [first = 'index', second, ...behind] = question.rest
  const controller = meant(question.controllers, first)
  if (controller === undefined) return null
  const { actions } = controller
  const named = actions.filter(({ method }) => method !== INVOKE)
  const segment = second === undefined ? undefined : meant(named, second)?.segment
  if (segment !== undefined) {
    const own = named.filter((action) => action.segment === segment)
    return choose(own, behind, { controller, question, isFallback: false })
  }
  const index = named.filter((action) => action.segment === 'index')
  const invoke = actions.find(({ method }) => method === INVOKE)
  // An invokable controller takes GET and HEAD from its index.
  const fallback =
    invoke === undefined
      ? index
      : [invoke, ...index.filter(({ verb }) => verb !== null && !['GET', 'HEAD'].includes(verb))]
  return choose(fallback, question.rest.slice(1), { controller, question, isFallback: true })
}

// What is spelled exactly, in any letter case, comes before what is spelled in one word.
function meant<T extends { readonly segment: string }>(all: readonly T[], sent: string): T | undefined {
  const low = lowered(sent)
  return (
    all.find(({ segment }) => segment === low) ??
    all.find(({ segment }) => segment.replaceAll('-', '') === low)
  )
}

interface Choice {
  readonly controller: ControllerDraft
  readonly question: ConventionQuestion
  readonly isFallback: boolean
}

function choose(
  actions: readonly ActionDraft[],
  segments: readonly string[],
  { controller, question, isFallback }: Choice,
): ConventionHit | ReadonlySet<string> | null {
  const { method, owns } = question
  const verbOf = ({ verb }: ActionDraft): string => verb ?? 'GET'
  const action =
    actions.find((each) => verbOf(each) === method) ??
    (method === 'HEAD' ? actions.find((each) => verbOf(each) === 'GET') : undefined)
  if (action !== undefined) {
    if (owns(controller.name, action.method)) return null
    const args = read(action, segments)
    if (args !== null) {
      const isAsSent = isFallback && segments.length > 0
      const base = isAsSent ? [controller.segment] : spell(controller, action, segments.length)
      return { controller: controller.name, action, args, canonical: [...base, ...segments] }
    }
  }
  const others = actions.filter(
    (each) => !owns(controller.name, each.method) && read(each, segments) !== null,
  )
  if (method === 'HEAD' && others.some((each) => verbOf(each) === 'GET'))
    return choose(actions, segments, { controller, question: { ...question, method: 'GET' }, isFallback })
  return others.length === 0 ? null : new Set(others.map(verbOf))
}

// The index of a controller has the controller's own URL while it takes no arguments, the index controller the module's.
function spell(controller: ControllerDraft, action: ActionDraft, args: number): readonly string[] {
  const isInvokable = controller.actions.some(({ method }) => method === INVOKE)
  const isIndexController = controller.segment === 'index'
  if (action.method === INVOKE) return args === 0 && isIndexController ? [] : [controller.segment]
  const isTaken = isInvokable && (action.verb === null || action.verb === 'GET' || action.verb === 'HEAD')
  if (action.segment === 'index' && args === 0 && !isTaken)
    return isIndexController ? [] : [controller.segment]
  return [controller.segment, action.segment]
}

function read({ parameters }: ActionDraft, segments: readonly string[]): readonly unknown[] | null {
  const least = parameters.filter(({ role }) => role === 'required').length
  const most = parameters.at(-1)?.role === 'rest' ? Infinity : parameters.length
  if (segments.length < least || segments.length > most) return null
  const args = segments.map((segment, index) =>
    coerce(segment, (parameters[index] ?? parameters.at(-1))?.kind ?? 'string'),
  )
  return args.includes(undefined) ? null : args
}
