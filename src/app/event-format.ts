/**
 * The format of an event stream: UTF-8 text in lines. An event is a block of `name: value` lines and a blank line.
 *
 * ```text
 * id: 7            the client sends it as `Last-Event-ID` when it reconnects
 * event: reading   name of the event; without it, the event is called "message"
 * data: line one   one line for each line of the data; the client joins them with line feeds
 * data: line two
 *
 * :                a comment: shows that the connection lives
 *
 * retry: 3000      milliseconds until the client reconnects
 * ```
 *
 * @see WHATWG HTML, section 9.2.5, "Parsing an event stream".
 * @module
 */
import { shown } from '../core/internal.ts'
import { jsonText } from '../http/internal.ts'

/** An event for the client. */
export interface StreamedEvent {
  /**
   * The data: a string is sent as it is, anything else as JSON. An event without data is not dispatched, but its `id`
   * counts. Default: none.
   */
  readonly data?: unknown
  /**
   * The client sends it as `Last-Event-ID` when it reconnects. An empty string makes the client forget the last one.
   * Default: the last one stays.
   */
  readonly id?: string | number
  /** Name of the event, for `addEventListener()` of the client. Default: `message`. */
  readonly event?: string
}

/** A comment, which clients ignore. */
export const COMMENT = ':\n\n'

// Long enough for any cursor, and far below what servers and proxies accept as a header.
const MAX_ID_LENGTH = 1024
const LINE_BREAK = /\r\n|\r|\n/
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * @param milliseconds How long a client waits until it reconnects.
 * @returns The block that tells it.
 */
export function formatRetry(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`
}

/**
 * @param given What the application wants to send.
 * @returns Its block.
 * @throws {TypeError} If it is not an event, its id or name cannot be sent, or JSON cannot represent its data.
 */
export function formatEvent(given: unknown): string {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`Cannot send ${shown(given)} as an event: pass an object such as { data, id }`)
  const { data, id, event } = given as StreamedEvent
  let block = ''
  if (id !== undefined) block += `id: ${checkedId(id)}\n`
  if (event !== undefined) block += `event: ${checkedName(event)}\n`
  if (data !== undefined) block += linesOf(typeof data === 'string' ? data : jsonText(data))
  if (block === '')
    throw new TypeError('Cannot send an event without data, id and name: pass at least one of them')
  return `${block}\n`
}

/**
 * Decodes the id that a client sends when it reconnects.
 *
 * @param header Value of `Last-Event-ID`, one character for each byte; null when it was not sent.
 * @returns The id; null if there is none, or if it is not one that `formatEvent()` could have sent.
 */
export function parseLastEventId(header: string | null): string | null {
  if (header === null || header === '') return null
  const id = Buffer.from(header, 'latin1').toString('utf8')
  return isId(id) && !id.includes('\ufffd') ? id : null
}

function linesOf(data: string): string {
  let lines = ''
  for (const line of data.split(LINE_BREAK)) lines += `data: ${line}\n`
  return lines
}

function checkedId(id: unknown): string {
  const text = typeof id === 'number' ? String(id) : id
  if (typeof text === 'string' && isId(text)) return text
  throw new TypeError(
    `Cannot send the event id ${shown(id)}: it must be a string of at most ${MAX_ID_LENGTH} characters, without control characters and without leading or trailing blanks`,
  )
}

function checkedName(event: unknown): string {
  if (typeof event === 'string' && event !== '' && !CONTROL.test(event)) return event
  throw new TypeError(
    `Cannot send the event name ${shown(event)}: it must be a string without control characters`,
  )
}

// A control character would end the line or be refused in a header. Clients trim a header, and lone surrogates have no UTF-8.
function isId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && !CONTROL.test(id) && id.trim() === id && id.isWellFormed()
}
