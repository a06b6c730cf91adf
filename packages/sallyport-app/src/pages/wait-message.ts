import type { PageMessage } from './page-state.ts'

/** A message about something that can be tried again later. */
export interface WaitMessage extends PageMessage {
  /** Says when: `wait.minutes` with the value `minutes`, or `wait.hours` with `hours`. */
  readonly wait: PageMessage
}

/**
 * Says when to try again.
 *
 * @param id Message of what cannot be done now.
 * @param seconds For how long.
 * @returns The message, with the time in minutes or hours, rounded up.
 */
export function waitMessage(id: string, seconds: number): WaitMessage {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  if (minutes < 60) return { id, wait: { id: 'wait.minutes', values: { minutes } } }
  return { id, wait: { id: 'wait.hours', values: { hours: Math.ceil(minutes / 60) } } }
}
