// The folder of the framework, with its separator: what stands in it declares nothing.
const FRAMEWORK = (import.meta.dirname ?? '').replace(/[^\\/]+$/, '')
const FRAME = /\(?((?:file:\/\/)?[^()\s]+:\d+):\d+\)?$/
const MAX_FRAMES = 24

/**
 * Where the caller of the framework stands, for messages about what it declared. It costs a stack.
 *
 * @returns `file:line`, or undefined when it is not known.
 */
export function callSite(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = MAX_FRAMES
  const error = new Error('call site')
  Error.stackTraceLimit = limit
  return placeOf(error)
}

/**
 * @param error An error.
 * @returns The first place outside of the framework that its stack names, as `file:line`; undefined when it names none.
 */
export function placeOf(error: Error): string | undefined {
  for (const line of (error.stack ?? '').split('\n').slice(1)) {
    const place = FRAME.exec(line)?.[1]
    if (place === undefined || place.startsWith('node:')) continue
    const path = place.startsWith('file://') ? decoded(place.slice('file://'.length)) : place
    if (!path.startsWith(FRAMEWORK)) return path
  }
  return undefined
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
