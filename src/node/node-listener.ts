import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app/index.ts'
import { refusal, reportFault } from '../app/internal.ts'
import { assertOptions, declarationError, shown } from '../core/internal.ts'
import { answerInTurn, type ExchangeServices } from './exchange.ts'
import { PendingAnswers } from './pending-answers.ts'
import { RequestGuard } from './request-guard.ts'
import { requestOptions } from './request-options.ts'
import { assertPace, type ServeOptions } from './serve-options.ts'

/** Options of {@link toNodeListener}: those of `serve()` that are about requests. */
export type NodeListenerOptions = Pick<
  ServeOptions,
  'origin' | 'hosts' | 'trustedProxies' | 'bodyMilliseconds' | 'uploadBytesPerSecond'
>

/** Answers requests of a server of `node:http`. */
export type NodeListener = (message: IncomingMessage, outgoing: ServerResponse) => void

/** What Express and its like add to a message. */
interface MountedMessage extends IncomingMessage {
  readonly baseUrl?: unknown
}

const NAMES: readonly string[] = [
  'origin',
  'hosts',
  'trustedProxies',
  'bodyMilliseconds',
  'uploadBytesPerSecond',
]

const FAILED = { status: 500, message: 'Something went wrong on our end' }
const NOT_FOUND = { status: 404, message: 'There is no page at this address' }

/**
 * Makes an application the listener of a server that is there already: of `node:http`, Express, Fastify or Connect. It boots
 * with the first request, unless it has booted before. The server keeps its own time limits for headers and connections; close
 * the application when it has closed.
 *
 * @param app The application. Mounted below a path, it needs that path as its `basePath`.
 * @param options Origin, hosts, proxies and the pace of bodies, as for `serve()`. Default: those of `serve()`.
 * @returns The listener. A request that it cannot answer, because its body has been read or the application lacks the
 * `basePath`, is a 500, and standard error says what to do.
 * @throws {TypeError} If it is not an application, or an option is unknown or invalid.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { once } from 'node:events'
 * import { createServer } from 'node:http'
 * import type { AddressInfo } from 'node:net'
 * import { App } from 'sallyport'
 * import { toNodeListener } from 'sallyport/node'
 *
 * const server = createServer(toNodeListener(App.default())).listen(0, '127.0.0.1')
 * await once(server, 'listening')
 * const { port } = server.address() as AddressInfo
 *
 * assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404)
 * server.close()
 * ```
 */
export function toNodeListener(app: App, options: NodeListenerOptions = {}): NodeListener {
  assertListener(app, options)
  const request = requestOptions(app, options)
  const state = { draining: false }
  let services: ExchangeServices | null = null
  const boot = async (): Promise<ExchangeServices> => {
    await app.boot()
    // The limits are known when the application has been configured.
    const source = { ...request, bodyBytes: app.currentLimits().bodyBytes }
    return (services ??= { app, guard: new RequestGuard(), state, pending: new PendingAnswers(), source })
  }
  return (message, outgoing) => {
    if (isMisspelled(message, app.basePath)) return refuse(app, outgoing, NOT_FOUND)
    const problem = problemOf(message, app.basePath)
    if (problem !== null) return fail(app, outgoing, new Error(problem))
    if (services !== null) return answerInTurn({ message, outgoing }, services)
    boot().then(
      (booted) => answerInTurn({ message, outgoing }, booted),
      (error: unknown) => fail(app, outgoing, error),
    )
  }
}

function assertListener(app: App, options: NodeListenerOptions): void {
  const given: unknown = app
  if (typeof given !== 'object' || given === null || typeof Reflect.get(given, 'boot') !== 'function')
    throw declarationError(`Cannot make a listener of ${shown(given)}: pass an application`)
  assertOptions(options, NAMES, 'toNodeListener()')
  assertPace(options.bodyMilliseconds, options.uploadBytesPerSecond)
}

// Express compares the path of a mount without regard to case. Paths of the application have one spelling.
function isMisspelled({ baseUrl }: MountedMessage, basePath: string): boolean {
  return (
    typeof baseUrl === 'string' && baseUrl !== basePath && baseUrl.toLowerCase() === basePath.toLowerCase()
  )
}

function problemOf(message: MountedMessage, basePath: string): string | null {
  const { baseUrl = '' } = message
  if (baseUrl !== '' && baseUrl !== basePath)
    return `Cannot answer below ${shown(baseUrl)}: pass basePath: ${shown(baseUrl)} to the application`
  // A body parser that leaves a body of another type alone has not begun to read it.
  if (message.readableDidRead)
    return 'Cannot read the body of the request, because it has been read: use the application before the body parsers'
  return null
}

function fail(app: App, outgoing: ServerResponse, error: unknown): void {
  reportFault(error)
  refuse(app, outgoing, FAILED)
}

function refuse(app: App, outgoing: ServerResponse, reason: typeof FAILED): void {
  const lines = refusal(reason, app.linesOfRefusal(false)).headerLines()
  outgoing.writeHead(reason.status, [...lines, 'connection', 'close'])
  outgoing.end(reason.message)
}
