import type { Texts } from './language.ts'

const en = {
  'lost.link': 'Lost access to your second step?',
  'lost.title': 'Lost access?',
  'lost.lead': 'There are three ways, the quickest first.',
  'lost.first.title': 'Set up your second step',
  'lost.first.lead':
    'Your account must have a second step and has none. Your password was set by a link in a mail during the last 30 days, so you set up the second step after a waiting time: someone who only reads your mails would have got this far, too.',
  'lost.first.text':
    'We send a link to your address. After it is confirmed, you wait for 14 days. Then you set up the second step with your password and another link. Each of our mails about it has a link that stops it.',
  'lost.code': 'A recovery code',
  'lost.code.text': 'You got ten of them when you set up the second step. Each works once.',
  'lost.code.use': 'Use a recovery code',
  'lost.code.none': 'No recovery code is left.',
  'lost.other': 'Another second step',
  'lost.other.text': 'If you have one of these at hand, use it, and then remove what you lost.',
  'lost.other.none': 'Your account has no other second step.',
  'lost.other.use': 'Back to the second step',
  'lost.verified': 'Recovery after a waiting time',
  'lost.verified.text':
    'If neither is left: we send a link to your address. After it is confirmed, you wait for 72 hours, or 14 days if your password was set by a link in a mail during the last 30 days. Then you set up a new second step with your password and another link. Anyone who can still sign in to the account can stop it until then.',
  'lost.verified.none': 'Ask the administrator of this site: the site itself cannot send mails.',
  'lost.verified.ask': 'Start the recovery',
  'lost.verified.asked':
    'A link is on its way to your address. It works for 30 minutes. The waiting time begins when you have confirmed it.',
  'lost.verified.again': 'Send another link',
  'lost.verified.waiting': 'The recovery is under way. You can set up a new second step from',
  'lost.verified.waiting.hint':
    'Sign in with your password after that time and come back to this page. If you find your second step before, sign in with it: that stops the recovery.',
  'lost.verified.ready': 'The waiting time is over. Continue within 7 days of its end.',
  'lost.verified.continue': 'Set up a new second step',
  'lost.verified.paused': 'A recovery was stopped. You can start another one from',
  'lost.meanwhile': 'Sign in meanwhile',
  'lost.meanwhile.text':
    'This signs you in. It stops no recovery, and with it you cannot remove or replace what you lost.',
  'lost.locked': 'A recovery was asked for too often.',
  'lost.confirm.title': 'Start the recovery?',
  'lost.confirm.text': 'A new second step is to take the place of the lost one, for the account',
  'lost.confirm.submit': 'Start the waiting time',
  'lost.waiting.title': 'The waiting time has begun',
  'lost.waiting.next':
    'Sign in with your password after that time, and choose “Lost access” on the page of the second step. We have sent you a mail with a link that stops the recovery.',
  'lost.cancel.title': 'Stop the recovery?',
  'lost.cancel.text': 'The second step stays as it is, for the account',
  'lost.cancel.submit': 'Stop it',
  'lost.stopped.title': 'The recovery was stopped',
  'lost.stopped.text':
    'Your second step stays as it is. If you did not start the recovery, someone knows your password: sign in and change your password.',
  'lost.outdated.text': 'The recovery has ended, or the link was used before.',
  'lost.notice':
    'Someone who knows your password has started to replace your second step, because it is said to be lost. If it was not you, stop it, and change your password.',
  'lost.notice.stop': 'Stop it',
  'lost.cancelled': 'The recovery was stopped. Your second step stays as it is.',
  'lost.cancelled-by-sign-in':
    'A recovery of your second step was under way. It was stopped, because you signed in. If you did not start it, change your password.',
  'lost.cancelled-by-code':
    'A recovery of your second step was under way. It was stopped, because you signed in with a recovery code, which lets you replace the second step now. If you did not start the recovery, change your password.',
  'lost.stops':
    'A recovery of your second step is under way. Signing in stops it: with a recovery code you replace the second step right after that, without waiting.',
  'mail.lost-confirm.subject': 'Start the recovery of your second step?',
  'mail.lost-confirm.text':
    'Hello,\n\nyour password was entered, and someone says that your second step is lost. If it was you, open this link within 30 minutes. A waiting time begins then:\n\n{url}\n\nIf it was not you, someone knows your password: stop the recovery with this link, and change your password:\n\n{cancel}',
  'mail.lost-waiting.subject': 'Your second step is about to be replaced',
  'mail.lost-waiting.text':
    'Hello,\n\nthe recovery of your second step has begun. From {at} on, and for 7 days, your password and another link to this address are enough to set up a new second step. A mail tells you when that time has come. Until then nothing changes.\n\nIf it was not you, stop it with this link, and change your password:\n\n{url}',
  'mail.lost-continue.subject': 'Set up a new second step',
  'mail.lost-continue.text':
    'Hello,\n\nthe waiting time of your recovery is over, and your password was just entered. Open this link in the same browser to set up a new second step. The earlier ones no longer work when it is set up:\n\n{url}\n\nIf it was not you, stop the recovery with this link, and change your password:\n\n{cancel}',
  'notice.recovery-cancelled.subject': 'The recovery of your second step was stopped',
  'notice.recovery-cancelled.text':
    'the recovery of your second step was stopped. Your second step stays as it is. If you did not start the recovery, someone knows your password.',
  'notice.factors-replaced.subject': 'Your second step was replaced',
  'notice.factors-replaced.text':
    'a new second step was set up after a recovery: “{label}”. The earlier ones, and the earlier recovery codes, no longer work. All sessions were signed out.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'lost.link': 'Kein Zugriff auf den zweiten Schritt?',
  'lost.title': 'Kein Zugriff?',
  'lost.lead': 'Es gibt drei Wege, der schnellste zuerst.',
  'lost.first.title': 'Zweiten Schritt einrichten',
  'lost.first.lead':
    'Ihr Konto muss einen zweiten Schritt haben und hat keinen. Ihr Passwort wurde in den letzten 30 Tagen über den Link in einer Mail gesetzt. Darum richten Sie den zweiten Schritt nach einer Wartezeit ein: So weit wäre auch jemand gekommen, der nur Ihre Mails liest.',
  'lost.first.text':
    'Wir senden einen Link an Ihre Adresse. Nach der Bestätigung warten Sie 14 Tage. Dann richten Sie den zweiten Schritt mit Ihrem Passwort und einem weiteren Link ein. Jede unserer Mails dazu hat einen Link, der das stoppt.',
  'lost.code': 'Ein Wiederherstellungscode',
  'lost.code.text':
    'Sie haben zehn davon bekommen, als Sie den zweiten Schritt eingerichtet haben. Jeder gilt einmal.',
  'lost.code.use': 'Wiederherstellungscode benutzen',
  'lost.code.none': 'Es ist kein Wiederherstellungscode mehr übrig.',
  'lost.other': 'Ein anderer zweiter Schritt',
  'lost.other.text':
    'Wenn Sie einen davon zur Hand haben, benutzen Sie ihn und entfernen Sie danach den verlorenen.',
  'lost.other.none': 'Ihr Konto hat keinen anderen zweiten Schritt.',
  'lost.other.use': 'Zurück zum zweiten Schritt',
  'lost.verified': 'Wiederherstellung nach einer Wartezeit',
  'lost.verified.text':
    'Wenn nichts davon übrig ist: Wir senden einen Link an Ihre Adresse. Nach der Bestätigung warten Sie 72 Stunden, oder 14 Tage, wenn Ihr Passwort in den letzten 30 Tagen über den Link in einer Mail gesetzt wurde. Dann richten Sie mit Ihrem Passwort und einem weiteren Link einen neuen zweiten Schritt ein. Wer sich noch anmelden kann, kann das bis dahin stoppen.',
  'lost.verified.none':
    'Wenden Sie sich an die Verwaltung dieser Seite: Die Seite selbst kann keine Mails senden.',
  'lost.verified.ask': 'Wiederherstellung beginnen',
  'lost.verified.asked':
    'Ein Link ist an Ihre Adresse unterwegs. Er gilt 30 Minuten lang. Die Wartezeit beginnt, wenn Sie ihn bestätigt haben.',
  'lost.verified.again': 'Neuen Link senden',
  'lost.verified.waiting':
    'Die Wiederherstellung läuft. Einen neuen zweiten Schritt können Sie einrichten ab',
  'lost.verified.waiting.hint':
    'Melden Sie sich danach mit Ihrem Passwort an und kommen Sie auf diese Seite zurück. Wenn Sie Ihren zweiten Schritt vorher wiederfinden, melden Sie sich damit an: Das stoppt die Wiederherstellung.',
  'lost.verified.ready': 'Die Wartezeit ist vorbei. Machen Sie innerhalb von 7 Tagen nach ihrem Ende weiter.',
  'lost.verified.continue': 'Neuen zweiten Schritt einrichten',
  'lost.verified.paused': 'Eine Wiederherstellung wurde gestoppt. Eine neue können Sie beginnen ab',
  'lost.meanwhile': 'Bis dahin anmelden',
  'lost.meanwhile.text':
    'Das meldet Sie an. Es stoppt keine Wiederherstellung, und Sie können damit nichts Verlorenes entfernen oder ersetzen.',
  'lost.locked': 'Es wurde zu oft eine Wiederherstellung angefordert.',
  'lost.confirm.title': 'Wiederherstellung beginnen?',
  'lost.confirm.text': 'Ein neuer zweiter Schritt soll den verlorenen ersetzen, für das Konto',
  'lost.confirm.submit': 'Wartezeit beginnen',
  'lost.waiting.title': 'Die Wartezeit hat begonnen',
  'lost.waiting.next':
    'Melden Sie sich danach mit Ihrem Passwort an und wählen Sie „Kein Zugriff“ auf der Seite des zweiten Schritts. Wir haben Ihnen eine Mail mit einem Link gesendet, der die Wiederherstellung stoppt.',
  'lost.cancel.title': 'Wiederherstellung stoppen?',
  'lost.cancel.text': 'Der zweite Schritt bleibt, wie er ist, für das Konto',
  'lost.cancel.submit': 'Stoppen',
  'lost.stopped.title': 'Die Wiederherstellung wurde gestoppt',
  'lost.stopped.text':
    'Ihr zweiter Schritt bleibt, wie er ist. Wenn Sie die Wiederherstellung nicht begonnen haben, kennt jemand Ihr Passwort: Melden Sie sich an und ändern Sie Ihr Passwort.',
  'lost.outdated.text': 'Die Wiederherstellung ist beendet, oder der Link wurde schon benutzt.',
  'lost.notice':
    'Jemand, der Ihr Passwort kennt, hat begonnen, Ihren zweiten Schritt zu ersetzen, weil er angeblich verloren ist. Wenn Sie das nicht waren, stoppen Sie es und ändern Sie Ihr Passwort.',
  'lost.notice.stop': 'Stoppen',
  'lost.cancelled': 'Die Wiederherstellung wurde gestoppt. Ihr zweiter Schritt bleibt, wie er ist.',
  'lost.cancelled-by-sign-in':
    'Eine Wiederherstellung Ihres zweiten Schritts lief. Sie wurde gestoppt, weil Sie sich angemeldet haben. Wenn Sie sie nicht begonnen haben, ändern Sie Ihr Passwort.',
  'lost.cancelled-by-code':
    'Eine Wiederherstellung Ihres zweiten Schritts lief. Sie wurde gestoppt, weil Sie sich mit einem Wiederherstellungscode angemeldet haben: Damit können Sie den zweiten Schritt jetzt ersetzen. Wenn Sie die Wiederherstellung nicht begonnen haben, ändern Sie Ihr Passwort.',
  'lost.stops':
    'Eine Wiederherstellung Ihres zweiten Schritts läuft. Die Anmeldung stoppt sie: Mit einem Wiederherstellungscode ersetzen Sie den zweiten Schritt gleich danach, ohne zu warten.',
  'mail.lost-confirm.subject': 'Wiederherstellung Ihres zweiten Schritts beginnen?',
  'mail.lost-confirm.text':
    'Guten Tag,\n\nIhr Passwort wurde eingegeben, und jemand gibt an, dass Ihr zweiter Schritt verloren ist. Wenn Sie das waren, öffnen Sie innerhalb von 30 Minuten diesen Link. Dann beginnt eine Wartezeit:\n\n{url}\n\nWenn Sie das nicht waren, kennt jemand Ihr Passwort: Stoppen Sie die Wiederherstellung mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
  'mail.lost-waiting.subject': 'Ihr zweiter Schritt wird bald ersetzt',
  'mail.lost-waiting.text':
    'Guten Tag,\n\ndie Wiederherstellung Ihres zweiten Schritts hat begonnen. Ab {at} und 7 Tage lang genügen Ihr Passwort und ein weiterer Link an diese Adresse, um einen neuen zweiten Schritt einzurichten. Sie bekommen eine Mail, wenn es so weit ist. Bis dahin ändert sich nichts.\n\nWenn Sie das nicht waren, stoppen Sie die Wiederherstellung mit diesem Link, und ändern Sie Ihr Passwort:\n\n{url}',
  'mail.lost-continue.subject': 'Richten Sie einen neuen zweiten Schritt ein',
  'mail.lost-continue.text':
    'Guten Tag,\n\ndie Wartezeit Ihrer Wiederherstellung ist vorbei, und Ihr Passwort wurde gerade eingegeben. Öffnen Sie diesen Link im selben Browser, um einen neuen zweiten Schritt einzurichten. Die früheren gelten nicht mehr, sobald er eingerichtet ist:\n\n{url}\n\nWenn Sie das nicht waren, stoppen Sie die Wiederherstellung mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
  'notice.recovery-cancelled.subject': 'Die Wiederherstellung Ihres zweiten Schritts wurde gestoppt',
  'notice.recovery-cancelled.text':
    'die Wiederherstellung Ihres zweiten Schritts wurde gestoppt. Ihr zweiter Schritt bleibt, wie er ist. Wenn Sie die Wiederherstellung nicht begonnen haben, kennt jemand Ihr Passwort.',
  'notice.factors-replaced.subject': 'Ihr zweiter Schritt wurde ersetzt',
  'notice.factors-replaced.text':
    'nach einer Wiederherstellung wurde ein neuer zweiter Schritt eingerichtet: „{label}“. Die früheren zweiten Schritte und Wiederherstellungscodes gelten nicht mehr. Alle Sitzungen wurden abgemeldet.',
}

/** Lost second steps: pages and mails. */
export const lostFactor: Texts<keyof typeof en> = { en, de }
