import type { Texts } from './language.ts'

const en = {
  'mail.lost-ready.subject': 'You can set up a new second step now',
  'mail.lost-ready.text':
    'Hello,\n\nthe waiting time for the recovery of your second step is over. Sign in with your password, choose “Lost access” on the page of the second step, and go on there until {at} UTC:\n\n{url}\n\nYour present second step works until the new one is set up. If you find it before, just sign in: that stops the recovery.\n\nIf it was not you who started the recovery, stop it with this link, and change your password:\n\n{cancel}',
  'mail.token-ends.subject': 'A token of your account ends soon',
  'mail.token-ends.text':
    'Hello,\n\nthe token “{name}” of your account ends on {at} UTC. Programs that use it are refused from then on.\n\nIf a program still needs it, make a new token and give it to the program before that:\n\n{url}\n\nOtherwise there is nothing to do.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'mail.lost-ready.subject': 'Sie können jetzt einen neuen zweiten Schritt einrichten',
  'mail.lost-ready.text':
    'Guten Tag,\n\ndie Wartezeit für die Wiederherstellung Ihres zweiten Schritts ist vorbei. Melden Sie sich mit Ihrem Passwort an, wählen Sie „Kein Zugriff“ auf der Seite des zweiten Schritts, und machen Sie dort weiter, bis {at} UTC:\n\n{url}\n\nIhr jetziger zweiter Schritt gilt, bis der neue eingerichtet ist. Wenn Sie ihn vorher wiederfinden, melden Sie sich einfach an: Das stoppt die Wiederherstellung.\n\nWenn Sie die Wiederherstellung nicht begonnen haben, stoppen Sie sie mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
  'mail.token-ends.subject': 'Ein Token Ihres Kontos läuft bald ab',
  'mail.token-ends.text':
    'Guten Tag,\n\ndas Token „{name}“ Ihres Kontos läuft am {at} UTC ab. Programme, die es benutzen, werden ab dann abgelehnt.\n\nWenn ein Programm es noch braucht, erstellen Sie vorher ein neues Token und geben Sie es dem Programm:\n\n{url}\n\nSonst ist nichts zu tun.',
}

/** The mails that are sent when a time has come. */
export const reminders: Texts<keyof typeof en> = { en, de }
