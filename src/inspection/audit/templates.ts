import { inOneLine } from '../../core/internal.ts'
import { RoutingException } from '../../routing/index.ts'
import type { RoutingModel } from '../../routing/internal.ts'
import type { FindingCode, RouteFinding } from './finding.ts'

/** A template, as the view engine of the application gives it. */
export interface AuditedTemplate {
  readonly file: string
  readonly expressions: readonly AuditedExpression[]
  readonly faults: readonly Error[]
}

interface AuditedExpression {
  readonly code: string
  readonly line: number
  readonly column: number
}

// The name is written out. What is computed is only known when the page renders.
const ROUTE_NAME = /(?<![\w$.])\$url\(\s*(?:'([^'\\]*)'|"([^"\\]*)"|`([^`\\$]*)`)/g

/**
 * Looks for templates that are malformed, include what does not exist, or name a route that does not exist.
 *
 * @param templates The templates.
 * @param model Knows the names.
 * @returns What was found.
 */
export function checkTemplates(
  templates: readonly AuditedTemplate[],
  { generation }: RoutingModel,
): RouteFinding[] {
  return templates.flatMap(({ file, expressions, faults }) => [
    ...faults.map(({ message }) => findingOf('broken-template', message)),
    ...expressions.flatMap((expression) =>
      [...expression.code.matchAll(ROUTE_NAME)].flatMap((match) => {
        const reason = reasonAgainst(match[1] ?? match[2] ?? match[3] ?? '', generation)
        return reason === null
          ? []
          : [findingOf('unknown-route-name', `${reason} (${file}:${placeIn(expression, match.index)})`)]
      }),
    ),
  ])
}

// Of a name that exists, values may be missing or wrong: they are not known here.
function reasonAgainst(name: string, generation: RoutingModel['generation']): string | null {
  try {
    generation.url(name, {}, undefined)
    return null
  } catch (error) {
    return error instanceof RoutingException && error.code === 'unknown-route' ? error.message : null
  }
}

/**
 * @param expression An expression of a template.
 * @param index A place in its code.
 * @returns Line and column in the file.
 */
export function placeIn({ code, line, column }: AuditedExpression, index: number): string {
  const lines = code.slice(0, index).split('\n')
  const last = lines.at(-1) ?? ''
  return `${line + lines.length - 1}:${last.length + (lines.length === 1 ? column : 1)}`
}

/**
 * @param code What is wrong.
 * @param message One sentence.
 * @returns A fault of a template, which belongs to no module.
 */
export function findingOf(code: FindingCode, message: string): RouteFinding {
  return { severity: 'fault', code, module: '', message: inOneLine(message), example: null, winner: null }
}
