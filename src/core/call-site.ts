// Folder of the framework with a trailing separator: its own files never count as the place of a declaration.
const FRAMEWORK = (import.meta.dirname ?? '').replace(/[^\\/]+$/, '')
const FRAME = /\(?((?:file:\/\/)?[^()\s]+:\d+):\d+\)?$/
const HEAD = /^(?:file:\/\/)?\S+:\d+$/
const MAX_FRAMES = 24
// A longer line belongs to a message; searching half a megabyte of it would take the expression seconds.
const MAX_LINE = 4096

/**
 * Finds the caller of the framework, for messages about its declarations. It captures a stack, which is slow.
 *
 * @returns `file:line`, or undefined when unknown.
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
 * @returns The first place outside the framework in its stack, as `file:line`; undefined when there is none.
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
 * @param error A platform error for a file that does not compile or link. The file has not run, so no stack frame names it.
 * @returns The place printed above the message, as `file:line`; undefined when there is none.
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
