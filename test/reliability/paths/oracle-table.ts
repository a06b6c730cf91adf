import type { ActionDraft, ControllerDraft, ParameterDraft, RouteDraft } from './draft.ts'
import { pathsOf } from './draft.ts'

/** A route that takes a path, whatever the method. */
export interface TableHit {
  readonly route: RouteDraft
  readonly locale: string | null
  readonly args: readonly unknown[]
  readonly answersMethod: boolean
}

/** What a table is asked. */
export interface TableQuestion {
  readonly method: string
  readonly rest: readonly string[]
  readonly locale: string | null
  readonly prefixes: boolean
  readonly controllers: readonly ControllerDraft[]
}

/**
 * Tries every route of a table on a path, one after another.
 *
 * @returns The route that answers; the methods that the path is known for instead; null when it is not known.
 */
export function askTable(
  routes: readonly RouteDraft[],
  question: TableQuestion,
): TableHit | ReadonlySet<string> | null {
  const hits: (TableHit & { rank: string; order: number })[] = []
  for (const [order, route] of routes.entries()) {
    for (const [locale, path] of pathsOf(route)) {
      if (question.prefixes && locale !== null && locale !== question.locale) continue
      const values = takePath(path, route.where, question.rest)
      const args = values === null ? null : bind(route, values, question.controllers)
      if (args === null) continue
      const answersMethod = answers({ route, locale, path }, routes, question)
      hits.push({ route, locale, args, answersMethod, rank: rankOf(path, route.where), order })
    }
  }
  if (hits.length === 0) return null
  const [best] = hits
    .filter((hit) => hit.answersMethod)
    .sort((one, other) => {
      if (one.route.priority !== other.route.priority) return other.route.priority - one.route.priority
      if (one.rank !== other.rank) return one.rank < other.rank ? -1 : 1
      return one.order - other.order
    })
  if (best !== undefined) return best
  const methods = new Set(hits.flatMap(({ route }) => route.methods))
  // TABLE-17: what would answer GET answers HEAD, where the route that declares HEAD does not take the path.
  return question.method === 'HEAD' && methods.has('GET')
    ? askTable(routes, { ...question, method: 'GET' })
    : methods
}

interface Path {
  readonly route: RouteDraft
  readonly locale: string | null
  readonly path: string
}

// TABLE-17, TABLE-18: GET answers HEAD unless a route declares HEAD on the same path.
function answers(own: Path, routes: readonly RouteDraft[], { method, prefixes }: TableQuestion): boolean {
  const { methods } = own.route
  if (methods.includes(method)) return true
  if (method !== 'HEAD' || !methods.includes('GET')) return false
  return !routes.some((other) => {
    if (!other.methods.includes('HEAD')) return false
    return pathsOf(other).some(([locale, path]) => {
      const shares = !prefixes || locale === null || own.locale === null || locale === own.locale
      return shares && keyOf(path, other.where) === keyOf(own.path, own.route.where)
    })
  })
}

const known = new Map<string, readonly string[]>()

/** The parts of a path between slashes; a slash at its end makes no part. Remembered, for there are many URLs. */
function partsOf(path: string): readonly string[] {
  let parts = known.get(path)
  if (parts === undefined) {
    const inner = path.replace(/^\//, '').replace(/\/$/, '')
    parts = inner === '' ? [] : inner.split('/')
    known.set(path, parts)
  }
  return parts
}

/** A path with placeholder names erased and constraints kept: TABLE-23 and decisions.md, "Routing". */
export function keyOf(path: string, where: Readonly<Record<string, string>>): string {
  return partsOf(path)
    .map((part) => part.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${constraintOf(where, name) ?? ''}}`))
    .join('/')
}

// HOLD-38: `[^/]+` is no constraint.
function constraintOf(where: Readonly<Record<string, string>>, name: string): string | undefined {
  return where[name] === '[^/]+' ? undefined : where[name]
}

function isRest(parts: readonly string[], index: number, where: Readonly<Record<string, string>>): boolean {
  const name = /^\{(\w+)\}$/.exec(parts[index] ?? '')?.[1]
  const constraint = name === undefined ? undefined : constraintOf(where, name)
  if (index < parts.length - 1 || constraint === undefined) return false
  return constraint === '.*' || constraint === '.+' || constraint.includes('/')
}

// Literal, then constrained placeholder, then free placeholder, then rest.
function rankOf(path: string, where: Readonly<Record<string, string>>): string {
  const parts = partsOf(path)
  return parts
    .map((part, index) => {
      if (!part.includes('{')) return '0'
      if (isRest(parts, index, where)) return '3'
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name !== undefined && constraintOf(where, name) === undefined ? '2' : '1'
    })
    .join('')
}

/** The values of a path's placeholders, each a list of segments; null when it does not take the path. */
function takePath(
  path: string,
  where: Readonly<Record<string, string>>,
  rest: readonly string[],
): ReadonlyMap<string, readonly string[]> | null {
  const parts = partsOf(path)
  const values = new Map<string, readonly string[]>()
  const last = parts.length - 1
  const hasRest = isRest(parts, last, where)
  if (hasRest ? rest.length < parts.length : rest.length !== parts.length) return null
  for (const [index, part] of parts.entries()) {
    const taken = hasRest && index === last ? rest.slice(index) : [rest[index] ?? '']
    const own = takePart(part, taken)
    if (own === null) return null
    for (const [name, value] of own) {
      const constraint = constraintOf(where, name)
      if (constraint !== undefined && !compiled(`^(?:${constraint})$`).test(value.join('/'))) return null
      values.set(name, value)
    }
  }
  return values
}

// Each placeholder takes the shortest text that ends where the text behind it begins.
function takePart(
  part: string,
  taken: readonly string[],
): readonly (readonly [string, readonly string[]])[] | null {
  const whole = /^\{(\w+)\}$/.exec(part)?.[1]
  if (whole !== undefined) return [[whole, taken]]
  const names: string[] = []
  const source = part
    .split(/(\{\w+\})/)
    .map((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1]
      if (name === undefined)
        return piece.replaceAll(
          /[^\w]/gu,
          (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
        )
      names.push(name)
      return '(.+?)'
    })
    .join('')
  const found = compiled(`^${source}$`).exec(taken[0] ?? '')
  return found === null ? null : names.map((name, index) => [name, [found[index + 1] ?? '']] as const)
}

const expressions = new Map<string, RegExp>()

function compiled(source: string): RegExp {
  const known = expressions.get(source) ?? new RegExp(source, 'su')
  expressions.set(source, known)
  return known
}

/** The action that a handler names. */
export function actionOf(
  handler: RouteDraft['handler'],
  controllers: readonly ControllerDraft[],
): ActionDraft {
  const controller = controllers.find(({ name }) => name === handler.controller)
  const action = controller?.actions.find(({ method }) => method === handler.method)
  if (action === undefined) throw new Error(`The draft has no ${handler.controller}::${handler.method}`)
  return action
}

// Placeholders bind to parameters by name and are coerced by the action's signature.
function bind(
  route: RouteDraft,
  values: ReadonlyMap<string, readonly string[]>,
  controllers: readonly ControllerDraft[],
): readonly unknown[] | null {
  const args: unknown[] = []
  for (const [index, parameter] of actionOf(route.handler, controllers).parameters.entries()) {
    const value = values.get(parameter.name)
    if (value === undefined) continue
    while (args.length < index) args.push(undefined)
    const texts = parameter.role === 'rest' ? value : [value.join('/')]
    for (const text of texts) {
      const read = coerce(text, parameter.kind)
      if (read === undefined) return null
      args.push(read)
    }
  }
  return args
}

const TRUTHS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const READ: Readonly<Record<ParameterDraft['kind'], (text: string) => unknown>> = {
  string: (text) => text,
  int: (text) => {
    const number = numberOf(text, /^-?(0|[1-9][0-9]*)$/)
    return Number.isSafeInteger(number) ? number : undefined
  },
  float: (text) => numberOf(text, /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/),
  bool: (text) => TRUTHS.get(text),
}

/** Reads a text as a type: decisions.md, OPEN-38. Undefined when it does not fit. */
export function coerce(text: string, kind: ParameterDraft['kind']): unknown {
  return READ[kind](text)
}

function numberOf(text: string, form: RegExp): number | undefined {
  const number = form.test(text) ? Number(text) : Number.NaN
  const isMinusZero = number === 0 && text.startsWith('-')
  return Number.isFinite(number) && !isMinusZero ? number : undefined
}
