// Folder of the framework with a trailing separator: its own files never count as the place of a declaration.
const FRAMEWORK = (import.meta.dirname ?? '').replace(/[^\\/]+$/, '')
// A place may have blanks and brackets: `file:///my-app%20(2)/app.ts:3:5`, `/My App/app.cjs:3:5`.
const PLACE = /^(?!eval at )(.+:\d+):\d+$/
const HEAD = /^(?:file:\/\/|\/|[A-Za-z]:\\).+:\d+$/
// Frames of Node, Bun and Deno themselves: `node:internal/…`, `native:1:11`, `ext:core/…`.
const INTERNAL = /^(?:node|native|ext):/
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
    const place = line.length > MAX_LINE ? undefined : PLACE.exec(textOf(line.trim()))?.[1]
    if (place === undefined || INTERNAL.test(place)) continue
    const path = pathOf(place)
    if (!path.startsWith(FRAMEWORK)) return path
  }
  return undefined
}

// Errors whose messages say where. The place is not looked for in a message, which may hold anything.
const telling = new WeakSet<Error>()

/**
 * @param error An error whose message says where it belongs.
 * @returns The same error.
 */
export function tellingPlace<E extends Error>(error: E): E {
  telling.add(error)
  return error
}

/**
 * @param error An error.
 * @returns Whether its message says where it belongs.
 */
export function tellsPlace(error: Error): boolean {
  return telling.has(error)
}

/**
 * @param error An error.
 * @returns Its message, which says where, once.
 */
export function placedMessage(error: Error): string {
  return tellsPlace(error) ? error.message : withPlace(error.message, placeOf(error))
}

/**
 * @param message A message.
 * @param place Where it belongs, as `file:line`; undefined when unknown.
 * @returns The message with that place, once.
 */
export function withPlace(message: string, place: string | undefined): string {
  return place === undefined || message.includes(place) ? message : `${message} (${place})`
}

/**
 * @param error A platform error for a file that does not compile or link. The file has not run, so no stack frame names it.
 * @returns The place printed above the message, as `file:line`; undefined when there is none.
 */
export function placeAbove(error: SyntaxError): string | undefined {
  const [head = ''] = (error.stack ?? '').split('\n')
  return HEAD.test(head) ? pathOf(head) : undefined
}

// `at name (place)`, `at async place` or `at place`; empty for a line of the message.
function textOf(line: string): string {
  if (!line.startsWith('at ')) return ''
  const start = line.indexOf(' (')
  return line.endsWith(')') && start !== -1 ? line.slice(start + 2, -1) : line.replace(/^at (?:async )?/, '')
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
