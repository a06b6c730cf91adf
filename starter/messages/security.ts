import type { Texts } from './language.ts'

const en = {
  'step-up.title': 'Confirm that it is you',
  'step-up.next': 'What you are about to do:',
  'step-up.why': 'This changes how your account is protected. You are asked again after five minutes.',
  'step-up.submit': 'Confirm',
  'step-up.cancel': 'Cancel and go back to your account',
  'step-up.action.recovery-codes': 'Make new recovery codes',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.title': 'Bestätigen Sie, dass Sie es sind',
  'step-up.next': 'Das haben Sie vor:',
  'step-up.why': 'Das ändert den Schutz Ihres Kontos. Nach fünf Minuten werden Sie erneut gefragt.',
  'step-up.submit': 'Bestätigen',
  'step-up.cancel': 'Abbrechen und zurück zum Konto',
  'step-up.action.recovery-codes': 'Neue Wiederherstellungscodes erzeugen',
}

/** Confirming again, and the pages about security. The names of suspended actions begin with `step-up.action.`. */
export const security: Texts<keyof typeof en> = { en, de }
