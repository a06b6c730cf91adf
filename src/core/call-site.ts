// The folder of the framework, with its separator: what stands in it declares nothing.
const FRAMEWORK = (import.meta.dirname ?? '').replace(/[^\\/]+$/, '')
const FRAME = /\(?((?:file:\/\/)?[^()\s]+:\d+):\d+\)?$/
const HEAD = /^(?:file:\/\/)?\S+:\d+$/
const MAX_FRAMES = 24
// A longer line is one of a message; the expression would search half a megabyte of it for seconds.
const MAX_LINE = 4096

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
    const place = line.length > MAX_LINE ? undefined : FRAME.exec(line)?.[1]
    if (place === undefined || place.startsWith('node:')) continue
    const path = pathOf(place)
    if (!path.startsWith(FRAMEWORK)) return path
  }
  return undefined
}

/**
 * @param error What the platform threw because of a file that it cannot compile or link: it has not run, so no frame names it.
 * @returns The place that stands above the message, as `file:line`; undefined when none does.
 */
export function placeAbove(error: SyntaxError): string | undefined {
  const [head = ''] = (error.stack ?? '').split('\n')
  return HEAD.test(head) ? pathOf(head) : undefined
}

function pathOf(place: string): string {
  return place.startsWith('file://') ? decoded(place.slice('file://'.length)) : place
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
