import type { PageEnd } from '../identity/sessions/page-end.ts'
import { type Moment, type PageMessage, toMinutes, toMoment } from './presentation.ts'

/** A message about something that can be tried again later. */
export interface WaitMessage extends PageMessage {
  /** How long to wait on this page; undefined when the page ends before that. */
  readonly wait?: PageMessage
  /** When it can be tried again, where a wait on this page would be in vain. */
  readonly from?: Moment
  /** What to do then. */
  readonly next?: PageMessage
}

/** What decides how a wait is told. */
export interface Wait {
  /** Seconds to wait. */
  readonly seconds: number
  /** The time, as a Unix timestamp in seconds. */
  readonly now: number
  /** When the page ends that tells it. */
  readonly end: PageEnd
  /** Language of the page. */
  readonly locale: string
}

/**
 * Words a wait. It is told in minutes only if the page still works after them; otherwise the page says from when on it can be
 * tried again, and where.
 *
 * @param id Message that says why to wait.
 * @param wait What decides how it is told.
 * @returns The message, for the template `parts/warning`.
 */
export function waitMessage(id: string, { seconds, now, end, locale }: Wait): WaitMessage {
  const minutes = toMinutes(seconds)
  if (now + minutes * 60 < end.at) return { id, wait: { id: 'wait.minutes', values: { minutes } } }
  const next = end.startsOver ? 'wait.start-over' : 'wait.open-again'
  return { id, from: toMoment(now + seconds, locale), next: { id: next } }
}
