import type { Texts } from './language.ts'

const en = {
  'wait.minutes':
    '{minutes, plural, one {Wait # minute and try again.} other {Wait # minutes and try again.}}',
  'wait.from': 'You can try again from:',
  'wait.start-over': 'This page ends before that. Start again with your password then.',
  'wait.open-again': 'This page ends before that. Open it again then.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'wait.minutes':
    '{minutes, plural, one {Warten Sie # Minute und versuchen Sie es dann noch einmal.} other {Warten Sie # Minuten und versuchen Sie es dann noch einmal.}}',
  'wait.from': 'Ein neuer Versuch ist möglich ab:',
  'wait.start-over': 'Diese Seite läuft vorher ab. Beginnen Sie dann wieder mit Ihrem Passwort.',
  'wait.open-again': 'Diese Seite läuft vorher ab. Öffnen Sie sie dann neu.',
}

/** What pages say about limits that were reached. */
export const waits: Texts<keyof typeof en> = { en, de }
