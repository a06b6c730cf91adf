import { inspect } from 'node:util'
import { trace } from '@opentelemetry/api'
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getTextFormatter,
  type Sink,
  type TextFormatter,
} from '@logtape/logtape'
import { redactByField } from '@logtape/redaction'

// None of this is logged on purpose. The list covers future log calls and the properties of errors.
const NEVER_LOGGED = [/pass(word|phrase|code)/i, /secret/i, /token/i, /cookie/i, /authorization/i, /^uri$/i]

/**
 * Starts logging to the console: one JSON object a line in production, text elsewhere. Without this call the application logs nothing, as
 * in tests. Fields that are called like secrets are never shown.
 *
 * @param settings `isProduction`.
 */
export function beginLogging(settings: { readonly isProduction: boolean }): void {
  const { isProduction } = settings
  const formatter = isProduction ? getJsonLinesFormatter() : developmentFormatter()
  const action = (): string => '[redacted]'
  const sink = withTrace(
    redactByField(getConsoleSink({ formatter }), { fieldPatterns: NEVER_LOGGED, action }),
  )
  configureSync({
    sinks: { console: sink },
    loggers: [
      { category: ['app'], lowestLevel: 'info', sinks: ['console'] },
      { category: ['logtape', 'meta'], lowestLevel: 'warning', sinks: ['console'] },
    ],
  })
}

// Names the trace in which something is logged, where OpenTelemetry is set up.
function withTrace(sink: Sink): Sink {
  return (record) => {
    const { traceId, spanId } = trace.getActiveSpan()?.spanContext() ?? {}
    sink(
      traceId === undefined ? record : { ...record, properties: { ...record.properties, traceId, spanId } },
    )
  }
}

// One line for each record, followed by the complete error.
function developmentFormatter(): TextFormatter {
  const line = getTextFormatter({ timestamp: 'time', category: '.' })
  return (record) => {
    const { error } = record.properties
    return error === undefined ? line(record) : `${line(record)}${inspect(error)}\n`
  }
}
