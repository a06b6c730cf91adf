import { inspect } from 'node:util'
import {
  configureSync,
  getConsoleSink,
  getJsonLinesFormatter,
  getTextFormatter,
  type TextFormatter,
} from '@logtape/logtape'
import { redactByField } from '@logtape/redaction'

// Nothing of this kind is logged on purpose; this is for what a later line, or an error's fields, might carry.
const NEVER_LOGGED = [/pass(word|phrase|code)/i, /secret/i, /token/i, /cookie/i, /authorization/i, /^uri$/i]

/**
 * Begins logging to the console: one JSON object for each line in production, text elsewhere. Until this is called
 * the application logs nothing, which is what tests want.
 *
 * @param options `isProduction`.
 */
export function beginLogging({ isProduction }: { readonly isProduction: boolean }): void {
  const formatter = isProduction ? getJsonLinesFormatter() : developmentFormatter()
  const action = (): string => '[redacted]'
  const sink = redactByField(getConsoleSink({ formatter }), { fieldPatterns: NEVER_LOGGED, action })
  configureSync({
    sinks: { console: sink },
    loggers: [
      { category: ['starter'], lowestLevel: 'info', sinks: ['console'] },
      { category: ['logtape', 'meta'], lowestLevel: 'warning', sinks: ['console'] },
    ],
  })
}

// A line for each record, and the whole of an error below it.
function developmentFormatter(): TextFormatter {
  const line = getTextFormatter({ timestamp: 'time', category: '.' })
  return (record) => {
    const { error } = record.properties
    return error === undefined ? line(record) : `${line(record)}${inspect(error)}\n`
  }
}
