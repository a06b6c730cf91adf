import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'not-me.title': 'Waren Sie das nicht?',
  'not-me.lead': 'Melden Sie sich jetzt überall ab, und wählen Sie danach ein neues Passwort.',
  'not-me.submit': 'Überall abmelden',
  'not-me.nothing': 'Wenn Sie es waren, schließen Sie diese Seite.',
  'not-me.done':
    'Sie wurden überall abgemeldet. Vielleicht kennt noch jemand Ihr Passwort: Wählen Sie jetzt ein neues.',
  'not-me.outdated.title': 'Dieser Link gilt nicht mehr',
  'not-me.outdated.text': 'Er ist abgelaufen oder wurde schon benutzt.',
  'notice.object':
    'Wenn Sie das waren, ist nichts zu tun. Wenn Sie das nicht waren, öffnen Sie diesen Link. Dort melden Sie alle Sitzungen Ihres Kontos ab und wählen ein neues Passwort:',
  'notice.object.once':
    '{days, plural, one {Der Link gilt einmal, # Tag lang.} other {Der Link gilt einmal, # Tage lang.}}',
  'notice.object-by-administrator':
    'Wenn Sie nicht darum gebeten haben, fragen Sie die Verwaltung der Seite nach dem Grund. Wenn Sie meinen, dass jemand anders in Ihrem Namen darum gebeten hat, öffnen Sie diesen Link. Dort melden Sie alle Sitzungen Ihres Kontos ab und wählen ein neues Passwort:',
}
