/** A proxy that has an application below a path of its host, and a browser before it: both speak HTTP. @module */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from 'sallyport'
import { TestClient } from 'sallyport/testing'
import type { Scope } from './scope.ts'

/** Where a proxy passes on what it receives. */
export interface ProxyRoutes {
  /** The path of the host below which the application is. */
  readonly basePath: string
  /** Where the application listens. */
  readonly upstream: string
  /** Whether the proxy strips that path. */
  readonly strips: boolean
}

/** A proxy that listens. */
export interface Proxy {
  /** Its scheme, host and port. */
  readonly url: string
  /** Requests for paths of the host that nothing has. */
  readonly strays: readonly string[]
}

/**
 * Begins a proxy with an application below a path of its host.
 *
 * @param scope What it ends with.
 * @param routes Where it passes on what it receives.
 * @returns The proxy, on a port of this machine.
 */
export async function openProxy(scope: Scope, routes: ProxyRoutes): Promise<Proxy> {
  const strays: string[] = []
  const server = createServer((incoming, outgoing) => {
    const target = targetOf(incoming.url ?? '/', routes)
    if (target !== undefined) return passOn(incoming, outgoing, target)
    strays.push(`${incoming.method} ${incoming.url}`)
    outgoing.writeHead(404).end()
  })
  // By its name, as a browser would.
  server.listen({ host: 'localhost', port: 0 })
  await once(server, 'listening')
  scope.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, strays }
}

/**
 * Makes a browser before a proxy.
 *
 * @param url Scheme, host and port of the proxy.
 * @param basePath The path of the host below which the application is.
 * @param see Is shown every answer.
 * @returns The browser.
 */
export function clientBehind(
  url: string,
  basePath: string,
  see: (sent: Request, response: Response, body: string) => void,
): TestClient {
  const remote = {
    basePath,
    async fetch(sent: Request): Promise<Response> {
      const response = await fetch(sent)
      const body = await response.text()
      see(sent, response, body)
      return new Response(body === '' ? null : body, response)
    },
  }
  // A client asks its application for these two alone.
  return new TestClient(remote as unknown as App, { origin: url })
}

function targetOf(path: string, { basePath, upstream, strips }: ProxyRoutes): string | undefined {
  const behind = path.slice(basePath.length)
  const isBelow = path.startsWith(basePath) && /^(?:[/?]|$)/.test(behind)
  if (!isBelow) return undefined
  if (!strips) return upstream + path
  return upstream + (behind.startsWith('/') ? behind : `/${behind}`)
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
  const { method, rawHeaders } = incoming
  const url = new URL(target)
  // The path as it came: a URL would spell it anew.
  const path = target.slice(url.origin.length)
  const { hostname, port } = url
  const passed = request({ hostname, port, method, path, headers: rawHeaders }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
    response.pipe(outgoing)
  })
  passed.once('error', () => outgoing.destroy())
  incoming.pipe(passed)
}

/** What names a URL, and the URL. */
export type Lead = readonly [kind: string, url: string]

/**
 * Finds everything of a response that names another URL: its target, attributes of a page, files of a style, paths of a script.
 *
 * @param response The response.
 * @param body Its body.
 * @returns Each with what names it.
 */
export function leadsOf(response: Response, body: string): readonly Lead[] {
  const { headers } = response
  const leads: Lead[] = []
  const location = headers.get('location')
  if (location !== null) leads.push(['Location', location])
  const type = headers.get('content-type') ?? ''
  // Whatever an attribute is called: a field may hold the page to return to, and a script may read any.
  if (type.startsWith('text/html'))
    for (const [, name = '', value = ''] of body.matchAll(/\s([\w-]+)="((?:\/|https?:)[^"]*)"/g))
      if (name !== 'xmlns') leads.push([name, value.replaceAll('&amp;', '&')])
  if (type.startsWith('text/css'))
    for (const [, url = ''] of body.matchAll(/url\(\s*["']?([^"')]+)/g)) leads.push(['url()', url])
  // Not the scripts of others.
  if (type.startsWith('text/javascript') && !response.url.endsWith('.min.js'))
    for (const [, path = ''] of body.matchAll(/["'`](\/[\w.-][^"'`\s]*)["'`]/g)) leads.push(['script', path])
  return leads
}
