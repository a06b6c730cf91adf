import { inOneLine, shown } from '../core/internal.ts'
import type { Route, RouteMatch } from '../routing/index.ts'
import { parameterFault } from '../routing/internal.ts'
import type { ExplainedCandidate } from './candidates.ts'

/** One step of a lookup. */
export interface ExplainedStep {
  /** What was done. */
  readonly kind: 'path' | 'locale' | 'entry' | 'table' | 'resolver' | 'convention' | 'spelling'
  /** What came of it, in one sentence. */
  readonly text: string
  /** The routes of a table that were near, the nearest first, each with the reason why it lost. */
  readonly candidates: readonly ExplainedCandidate[]
}

/** What becomes of the request. */
export interface ExplainedResult {
  /** As `Router.match()` gives it; `failed` when a resolver threw, or gave what is no route of its request. */
  readonly kind: RouteMatch['kind'] | 'failed'
  /** The status of the answer; null where the action decides. */
  readonly status: number | null
  /** In one sentence. */
  readonly text: string
  /** Name of the module that owns the URL, when a route was found. */
  readonly module: string | null
  /** The action, `CartController::add`, when a route was found. */
  readonly action: string | null
  /** Name of the route, local to its module. */
  readonly name: string | null
  /** Arguments of the action; those that are neither text, number nor boolean as a URL has them. */
  readonly arguments: readonly unknown[]
  /** The locale that the route imposes. */
  readonly locale: string | null
  /** Class names, outermost first. */
  readonly middlewares: readonly string[]
  /** Where a redirect leads. */
  readonly location: string | null
  /** The methods that a 405 names. */
  readonly allowed: readonly string[]
}

/** A lookup that a resolver ended by an error. */
export interface FailedLookup {
  readonly kind: 'failed'
  /** Who failed, and how. */
  readonly text: string
}

/** How the parts of an explanation are made to stand out; each takes and gives a text. */
export interface ExplanationStyle {
  /** What matters most. */
  readonly strong: (text: string) => string
  /** What matters least. */
  readonly faint: (text: string) => string
}

const UNSTYLED: ExplanationStyle = { strong: (text) => text, faint: (text) => text }

/** How a URL is resolved, step by step. */
export class RouteExplanation {
  /** The HTTP method. */
  readonly method: string
  /** The path as asked. */
  readonly path: string
  /** What was done, in order. */
  readonly steps: readonly ExplainedStep[]
  /** What came of it. */
  readonly result: ExplainedResult

  /**
   * @param asked What was asked, and the steps.
   * @param match What came of it.
   */
  constructor(asked: Pick<RouteExplanation, 'method' | 'path' | 'steps'>, match: RouteMatch | FailedLookup) {
    this.method = asked.method
    this.path = asked.path
    this.steps = asked.steps
    this.result = resultOf(match)
  }

  /**
   * @param style How parts stand out. Default: not at all.
   * @returns The explanation as lines of text, each of bounded length and without control characters.
   */
  toText(style: ExplanationStyle = UNSTYLED): string {
    const { method, path, steps, result } = this
    const lines = [style.strong(inOneLine(`${method} ${path}`))]
    for (const [index, { text, candidates }] of steps.entries()) {
      lines.push(inOneLine(`${index + 1}. ${text}`))
      for (const { route, reason, isWinner } of candidates) {
        const line = inOneLine(`   ${isWinner ? '→' : '·'} ${route}: ${reason}`)
        lines.push(isWinner ? line : style.faint(line))
      }
    }
    lines.push(style.strong(inOneLine(`= ${result.text}`)))
    if (result.kind !== 'found') return lines.join('\n')
    if (result.name !== null) lines.push(inOneLine(`  name: ${result.name}`))
    if (result.locale !== null) lines.push(`  locale: ${result.locale}`)
    lines.push(inOneLine(`  middlewares: ${result.middlewares.join(' → ') || 'none'}`))
    return lines.join('\n')
  }
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

const NOTHING = {
  status: null,
  module: null,
  action: null,
  name: null,
  arguments: [],
  locale: null,
  middlewares: [],
  location: null,
  allowed: [],
}

function resultOf(match: RouteMatch | FailedLookup): ExplainedResult {
  const result = { ...NOTHING, kind: match.kind }
  switch (match.kind) {
    case 'redirect':
      return { ...result, status: 308, text: `308 redirect to ${match.location}`, location: match.location }
    case 'methodNotAllowed': {
      const { allowed } = match
      return { ...result, status: 405, text: `405, allowed: ${allowed.join(', ')}`, allowed }
    }
    case 'badRequest': {
      const text = '400, the path cannot be decoded, holds a control character or is too long'
      return { ...result, status: 400, text }
    }
    case 'notFound':
      return { ...result, status: 404, text: '404, nothing answers' }
    case 'failed':
      return { ...result, status: 500, text: `500, ${match.text}` }
    default:
      return { ...result, ...foundResult(match.route) }
  }
}

function foundResult(route: Route): Omit<ExplainedResult, 'kind' | 'status' | 'location' | 'allowed'> {
  const { label, parameters } = route.target.action
  const given = route.args.map((argument, index) => {
    // What a type of the application's own reads is shown as its URL has it; it may be anything.
    const parameter = parameters[index] ?? parameters.at(-1)
    if (argument === undefined || PLAIN.has(typeof argument)) return argument
    try {
      return parameter?.type.format(argument) ?? textOf(argument)
    } catch (error) {
      throw parameterFault(parameter, label, error)
    }
  })
  const args = given.map((argument) => JSON.stringify(argument) ?? String(argument)).join(', ')
  return {
    text: `${label}(${args}) of module "${route.module}"`,
    module: route.module,
    action: label,
    name: route.name,
    arguments: given,
    locale: route.locale,
    middlewares: route.middlewares.map(({ name }) => name),
  }
}

// What a resolver gives may be anything.
function textOf(argument: unknown): string {
  try {
    return String(argument)
  } catch {
    return shown(argument)
  }
}
