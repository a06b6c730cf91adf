import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'lost.link': 'Kein Zugriff auf den zweiten Schritt?',
  'lost.title': 'Kein Zugriff?',
  'lost.lead': 'Versuchen Sie diese Wege, den schnellsten zuerst.',
  'lost.first.title': 'Zweiten Schritt einrichten',
  'lost.first.lead':
    'Ihr Konto muss einen zweiten Schritt haben und hat keinen. Weil Ihr Passwort in den letzten 30 Tagen per E-Mail gesetzt wurde, gibt es eine Wartezeit.',
  'lost.first.text':
    'Wir senden Ihnen einen Link. 14 Tage nach Ihrer Bestätigung richten Sie den zweiten Schritt ein. Ein Link in jeder unserer E-Mails dazu stoppt das.',
  'lost.code': 'Ein Wiederherstellungscode',
  'lost.code.text': 'Sie haben sie gespeichert, als Sie den zweiten Schritt eingerichtet haben.',
  'lost.code.use': 'Wiederherstellungscode benutzen',
  'lost.code.none': 'Es ist kein Wiederherstellungscode mehr übrig.',
  'lost.other': 'Ein anderer zweiter Schritt',
  'lost.other.text': 'Benutzen Sie einen davon, und entfernen Sie danach den verlorenen.',
  'lost.other.none': 'Ihr Konto hat keinen anderen zweiten Schritt.',
  'lost.other.use': 'Zurück zum zweiten Schritt',
  'lost.verified': 'Nach einer Wartezeit',
  'lost.verified.text':
    'Wir senden Ihnen einen Link. Nach 72 Stunden, oder nach 14 Tagen, wenn Ihr Passwort in den letzten 30 Tagen per E-Mail gesetzt wurde, richten Sie einen neuen zweiten Schritt ein. Wer sich noch anmelden kann, kann das stoppen.',
  'lost.verified.none':
    'Wenden Sie sich an die Verwaltung dieser Seite: Die Seite selbst kann keine Mails senden.',
  'lost.verified.ask': 'Wiederherstellung beginnen',
  'lost.verified.asked':
    'Wir haben Ihnen einen Link gesendet, der 30 Minuten lang gilt. Die Wartezeit beginnt, wenn Sie ihn öffnen und bestätigen.',
  'lost.verified.again': 'Neuen Link senden',
  'lost.verified.waiting':
    'Die Wiederherstellung läuft. Einen neuen zweiten Schritt können Sie einrichten ab',
  'lost.verified.waiting.hint':
    'Melden Sie sich dann mit Ihrem Passwort an, und kommen Sie auf diese Seite zurück. Wenn Sie Ihren zweiten Schritt vorher finden, melden Sie sich damit an: Das stoppt die Wiederherstellung.',
  'lost.verified.ready': 'Die Wartezeit ist vorbei. Machen Sie innerhalb von 7 Tagen nach ihrem Ende weiter.',
  'lost.verified.continue': 'Neuen zweiten Schritt einrichten',
  'lost.verified.paused': 'Eine Wiederherstellung wurde gestoppt. Eine neue können Sie beginnen ab',
  'lost.meanwhile': 'Bis dahin anmelden',
  'lost.meanwhile.text':
    'Das meldet Sie an. Es stoppt keine Wiederherstellung, und Sie können damit nichts Verlorenes ersetzen.',
  'lost.locked': 'Es wurde zu oft eine Wiederherstellung angefordert.',
  'lost.confirm.title': 'Wiederherstellung beginnen?',
  'lost.confirm.text': 'Die Wiederherstellung des zweiten Schritts beginnt für',
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
    'Eine Wiederherstellung läuft: Ihr zweiter Schritt wird ersetzt. Wenn Sie das nicht waren, stoppen Sie sie, und ändern Sie Ihr Passwort.',
  'lost.notice.stop': 'Stoppen',
  'lost.cancelled': 'Die Wiederherstellung wurde gestoppt. Ihr zweiter Schritt bleibt, wie er ist.',
  'lost.cancelled-by-sign-in':
    'Eine Wiederherstellung Ihres zweiten Schritts lief. Sie wurde gestoppt, weil Sie sich angemeldet haben. Wenn Sie sie nicht begonnen haben, ändern Sie Ihr Passwort.',
  'lost.cancelled-by-code':
    'Eine Wiederherstellung Ihres zweiten Schritts lief. Sie wurde gestoppt, weil Sie sich mit einem Wiederherstellungscode angemeldet haben: Damit können Sie den zweiten Schritt jetzt ersetzen. Wenn Sie die Wiederherstellung nicht begonnen haben, ändern Sie Ihr Passwort.',
  'mail.lost-confirm.subject': 'Wiederherstellung Ihres zweiten Schritts beginnen?',
  'mail.lost-confirm.text':
    'Guten Tag,\n\nIhr Passwort wurde eingegeben, und jemand gibt an, dass Ihr zweiter Schritt verloren ist. Wenn Sie das waren, öffnen Sie innerhalb von 30 Minuten diesen Link. Dann beginnt eine Wartezeit:\n\n{url}\n\nWenn Sie das nicht waren, kennt jemand Ihr Passwort: Stoppen Sie die Wiederherstellung mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
  'mail.lost-waiting.subject': 'Ihr zweiter Schritt wird bald ersetzt',
  'mail.lost-waiting.text':
    'Guten Tag,\n\ndie Wiederherstellung Ihres zweiten Schritts hat begonnen. Ab {at} und 7 Tage lang genügen Ihr Passwort und ein weiterer Link an diese Adresse, um einen neuen zweiten Schritt einzurichten. Bis dahin ändert sich nichts.\n\nWenn Sie das nicht waren, stoppen Sie die Wiederherstellung mit diesem Link, und ändern Sie Ihr Passwort:\n\n{url}',
  'mail.lost-continue.subject': 'Richten Sie einen neuen zweiten Schritt ein',
  'mail.lost-continue.text':
    'Guten Tag,\n\ndie Wartezeit Ihrer Wiederherstellung ist vorbei, und Ihr Passwort wurde gerade eingegeben. Öffnen Sie diesen Link im selben Browser, um einen neuen zweiten Schritt einzurichten. Die früheren gelten nicht mehr, sobald er eingerichtet ist:\n\n{url}\n\nWenn Sie das nicht waren, stoppen Sie die Wiederherstellung mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
  'notice.recovery-cancelled.subject': 'Die Wiederherstellung Ihres zweiten Schritts wurde gestoppt',
  'notice.recovery-cancelled.text':
    'die Wiederherstellung Ihres zweiten Schritts wurde gestoppt. Ihr zweiter Schritt bleibt, wie er ist. Wenn Sie die Wiederherstellung nicht begonnen haben, kennt jemand Ihr Passwort.',
  'notice.factors-replaced.subject': 'Ihr zweiter Schritt wurde ersetzt',
  'notice.factors-replaced.text':
    'nach einer Wiederherstellung wurde ein neuer zweiter Schritt eingerichtet: „{label}“. Die früheren zweiten Schritte und Wiederherstellungscodes gelten nicht mehr. Alle Sitzungen wurden abgemeldet.',
  'event.recovery-requested': 'Wiederherstellung des zweiten Schritts angefordert',
  'event.recovery-confirmed': 'Wiederherstellung des zweiten Schritts bestätigt, Wartezeit läuft',
  'event.recovery-cancelled': 'Wiederherstellung des zweiten Schritts gestoppt',
  'event.recovery-completed': 'Zweiter Schritt nach einer Wiederherstellung ersetzt',
  'mail.lost-ready.subject': 'Sie können jetzt einen neuen zweiten Schritt einrichten',
  'mail.lost-ready.text':
    'Guten Tag,\n\ndie Wartezeit für die Wiederherstellung Ihres zweiten Schritts ist vorbei. Melden Sie sich mit Ihrem Passwort an, wählen Sie „Kein Zugriff“ auf der Seite des zweiten Schritts, und machen Sie dort weiter, bis {at} UTC:\n\n{url}\n\nIhr jetziger zweiter Schritt gilt, bis der neue eingerichtet ist. Wenn Sie ihn vorher wiederfinden, melden Sie sich einfach an: Das stoppt die Wiederherstellung.\n\nWenn Sie die Wiederherstellung nicht begonnen haben, stoppen Sie sie mit diesem Link, und ändern Sie Ihr Passwort:\n\n{cancel}',
  'admin.condition.recovery-asked': 'Wiederherstellung angefordert, nicht bestätigt',
  'admin.condition.recovery-waiting': 'Wiederherstellung eines zweiten Schritts, Wartezeit läuft',
  'admin.condition.recovery-ready': 'Neuer zweiter Schritt kann eingerichtet werden',
  'admin.mark.recovery': 'Wiederherstellung',
}
