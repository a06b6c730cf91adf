import { type Refusal, refusalOf } from '../app/internal.ts'
import { inOneLine } from '../core/internal.ts'
import type { Inspection } from '../inspection/internal.ts'
import type { RouteExplanation } from '../inspection/index.ts'
import { isParsedMethod } from '../node/internal.ts'
import type { Terminal } from './terminal.ts'

/** The URL to explain. */
export interface AskedUrl {
  /** Method in upper case. */
  readonly method: string
  /** The path as sent, without query. */
  readonly path: string
  /** The query with its question mark; empty when there is none. */
  readonly query: string
}

// Node's default limit for the head of a request.
const MAX_HEAD_CHARACTERS = 16_384

/**
 * Explains how a URL is resolved. For a request that the server refuses before routing, it prints the response and the reason.
 *
 * @param inspection The inspection of the application.
 * @param asked The URL, and `json` for machine-readable output.
 * @param terminal Where to write.
 * @returns Whether it could be resolved: no resolver failed.
 */
export async function explainUrl(
  inspection: Inspection,
  { json, ...asked }: AskedUrl & { readonly json: boolean },
  terminal: Terminal,
): Promise<boolean> {
  const { style, shorten } = terminal
  const reason = refusalAt(asked)
  if (reason !== null) {
    const explanation = refused(asked, reason)
    if (json) terminal.printJson(explanation)
    else {
      terminal.print(style('bold', inOneLine(`${asked.method} ${asked.path}${asked.query}`)))
      terminal.print(style('bold', `= ${explanation.result.text}`))
    }
    return true
  }
  const explanation = await inspection.explain(asked.method, asked.path)
  const strong = (text: string): string => style('bold', text)
  const faint = (text: string): string => style('dim', text)
  if (json) terminal.printJson(explanation)
  else terminal.print(shorten(explanation.toText({ strong, faint })))
  return explanation.result.kind !== 'failed'
}

function refusalAt({ method, path, query }: AskedUrl): Refusal | null {
  if (path.length + query.length > MAX_HEAD_CHARACTERS)
    return { status: 431, message: 'The head of the request is too large' }
  if (!isParsedMethod(method)) return { status: 400, message: 'The server does not know the method' }
  return refusalOf(method, path + query)
}

function refused(
  { method, path }: AskedUrl,
  { status, message }: Refusal,
): Pick<RouteExplanation, 'method' | 'path' | 'steps' | 'result'> {
  const nothing = { module: null, action: null, name: null, arguments: [], locale: null, middlewares: [] }
  const kind = status === 405 ? 'methodNotAllowed' : 'badRequest'
  const allowed = status === 405 ? ['GET', 'HEAD'] : []
  const text = `${status}, refused before it is routed: ${message}`
  return { method, path, steps: [], result: { ...nothing, kind, status, text, location: null, allowed } }
}
