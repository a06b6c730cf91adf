import type { Texts } from './language.ts'

const en = {
  'wait.minutes':
    '{minutes, plural, one {Wait # minute and try again.} other {Wait # minutes and try again.}}',
  'wait.hours': '{hours, plural, one {Wait an hour and try again.} other {Wait # hours and try again.}}',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'wait.minutes':
    '{minutes, plural, one {Warten Sie # Minute und versuchen Sie es dann noch einmal.} other {Warten Sie # Minuten und versuchen Sie es dann noch einmal.}}',
  'wait.hours':
    '{hours, plural, one {Warten Sie eine Stunde und versuchen Sie es dann noch einmal.} other {Warten Sie # Stunden und versuchen Sie es dann noch einmal.}}',
}

/** What pages say about limits that were reached. */
export const waits: Texts<keyof typeof en> = { en, de }
