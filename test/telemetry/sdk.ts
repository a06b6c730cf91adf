/**
 * Sets up the SDK of OpenTelemetry in a process, as `--import` does it before an application.
 *
 * @module
 */
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const OFTEN_MILLISECONDS = 200

/** What was set up. */
export interface Sdk {
  /** Sends what is there. */
  readonly flush: () => Promise<unknown>
  /** Ends it, and sends nothing more. */
  readonly shutDown: () => Promise<unknown>
}

/**
 * @param url Where the collector listens.
 * @returns The SDK, which is to be shut down before the collector closes: it would go on trying.
 */
export function setUp(url: string): Sdk {
  const exporter = new OTLPMetricExporter({ url })
  const spans = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url }),
    scheduledDelayMillis: OFTEN_MILLISECONDS,
  })
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: OFTEN_MILLISECONDS,
    exportTimeoutMillis: OFTEN_MILLISECONDS,
  })
  const tracing = new TracerProvider({ spanProcessors: [spans] })
  const meters = new MeterProvider({ readers: [reader] })
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(tracing)
  api.metrics.setGlobalMeterProvider(meters)
  return {
    flush: () => Promise.all([tracing.forceFlush(), meters.forceFlush()]),
    shutDown: () => Promise.all([tracing.shutdown(), meters.shutdown()]),
  }
}

const { COLLECTOR } = process.env
if (COLLECTOR !== undefined) {
  const sdk = setUp(COLLECTOR)
  process.once('SIGTERM', () => void sdk.shutDown())
}
