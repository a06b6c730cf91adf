const OWN_FOLDER = import.meta.dirname ?? ''
const FRAME = /\(?((?:file:\/\/)?[^()\s]+:\d+):\d+\)?$/

/**
 * Where the caller of this folder stands, for messages about what it declared.
 *
 * @returns `file:line`, or undefined when it is not known.
 */
export function callSite(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 8
  const stack = new Error('call site').stack ?? ''
  Error.stackTraceLimit = limit
  for (const line of stack.split('\n').slice(1)) {
    const place = FRAME.exec(line)?.[1]?.replace(/^file:\/\//, '')
    if (place !== undefined && !place.startsWith(OWN_FOLDER)) return place
  }
  return undefined
}
