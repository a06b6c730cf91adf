/**
 * A collector of OpenTelemetry, for tests: it keeps what is sent to it as OTLP in JSON.
 *
 * @module
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** An attribute of OTLP. */
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

/** A span. */
export interface CollectedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number }
}

/** A value of a metric. */
export interface Point {
  readonly attributes: readonly Attribute[]
  readonly count?: number
  readonly asInt?: number
  readonly asDouble?: number
}

interface Points {
  readonly dataPoints: readonly Point[]
}

interface Metric {
  readonly name: string
  readonly histogram?: Points
  readonly sum?: Points
  readonly gauge?: Points
}

interface Export {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[]
  }[]
}

/** Listens on a port of this machine. */
export class Collector {
  /** What was received. */
  readonly bodies: string[] = []
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.bodies.push(body)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
  }

  /** @returns A collector that listens. */
  static async listen(): Promise<Collector> {
    const collector = new Collector()
    collector.#server.listen(0, '127.0.0.1')
    await once(collector.#server, 'listening')
    return collector
  }

  /** Where it listens. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** All spans. */
  get spans(): readonly CollectedSpan[] {
    return this.#exports()
      .flatMap(({ resourceSpans = [] }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  }

  /**
   * @param name Name of a metric.
   * @returns Its newest values.
   */
  points(name: string): readonly Point[] {
    const found = this.#exports()
      .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .findLast((metric) => metric.name === name)
    return (found?.histogram ?? found?.sum ?? found?.gauge)?.dataPoints ?? []
  }

  /** Ends it. */
  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #exports(): readonly Export[] {
    return this.bodies.map((body) => JSON.parse(body) as Export)
  }
}

/**
 * @param attributes Of a span or of a value.
 * @returns `key=value`, sorted.
 */
export function textOf(attributes: readonly Attribute[]): string {
  return attributes
    .map(({ key, value }) => `${key}=${value.stringValue ?? value.intValue}`)
    .toSorted()
    .join(' ')
}
