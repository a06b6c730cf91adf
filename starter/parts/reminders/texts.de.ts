import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'mail.lost-ready.subject': 'Sie können jetzt einen neuen zweiten Schritt einrichten',
  'mail.lost-ready.text':
    'Guten Tag,\n\ndie Wartezeit für die Wiederherstellung Ihres zweiten Schritts ist vorbei. Melden Sie sich mit Ihrem Passwort an, wählen Sie „Kein Zugriff“ auf der Seite des zweiten Schritts, und machen Sie dort weiter, bis {at} UTC:\n\n{url}\n\nIhr jetziger zweiter Schritt gilt, bis der neue eingerichtet ist. Wenn Sie ihn vorher wiederfinden, melden Sie sich einfach an: Das stoppt die Wiederherstellung.\n\nWenn Sie die Wiederherstellung nicht begonnen haben, stoppen Sie sie mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
}
