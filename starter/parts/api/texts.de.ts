import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'event.token-created': 'API-Token erstellt',
  'event.token-confirmed': 'API-Token nach einer Änderung behalten',
  'event.token-revoked': 'API-Token widerrufen',
  'event.token-refused': 'API-Token abgelehnt',
  'notice.token-created.subject': 'Ein API-Token wurde erstellt',
  'notice.token-created.text':
    'für Ihr Konto wurde ein Token erstellt: „{name}“. Ein Programm, das es hat, kann für Sie handeln.',
  'step-up.action.token-new': 'Ein API-Token erstellen',
  'step-up.action.token-confirm': 'Ein API-Token behalten',
  'tokens.title': 'API-Tokens',
  'tokens.lead': 'Eine App oder ein Skript sendet statt Ihres Passworts ein Token.',
  'tokens.none': 'Noch keine Tokens. Erstellen Sie eines für jede App und jedes Skript, das die API benutzt.',
  'tokens.new': 'Neues Token',
  'tokens.name': 'Name',
  'tokens.name.hint': 'Die App oder das Gerät, das es benutzen wird.',
  'tokens.begins': 'Beginnt mit',
  'tokens.scopes': 'Rechte',
  'tokens.scopes.hint': 'Wählen Sie nur, was gebraucht wird.',
  'tokens.no-scopes': 'Nur: wer Sie sind',
  'tokens.created': 'Erstellt',
  'tokens.used': 'Zuletzt benutzt',
  'tokens.expires': 'Gilt bis',
  'tokens.expired': 'Abgelaufen',
  'tokens.stopped': '{count, plural, one {Ein API-Token ruht} other {API-Tokens ruhen}}',
  'tokens.stopped.text':
    'Ihr Passwort oder zweiter Schritt hat sich geändert. Behalten Sie die, die Sie kennen, und widerrufen Sie die anderen.',
  'tokens.stopped.mail':
    'Diese API-Tokens ruhen seit der Änderung. Melden Sie sich an, behalten Sie die, die Sie kennen, und widerrufen Sie die anderen:',
  'tokens.suspended': 'Ruht, seit sich Ihr Passwort oder zweiter Schritt geändert hat',
  'tokens.days': 'Läuft ab nach',
  'tokens.days.count': '{count, plural, one {# Tag} other {# Tagen}}',
  'tokens.new.title': 'Neues Token',
  'tokens.new.lead': 'Erstellen Sie für jede App ein eigenes Token.',
  'tokens.make': 'Token erstellen',
  'tokens.cancel': 'Abbrechen',
  'tokens.made.title': 'Ihr neues Token',
  'tokens.made.lead': 'Kopieren Sie es jetzt. Es wird nur dieses eine Mal angezeigt.',
  'tokens.made.done': 'Ich habe es kopiert',
  'tokens.confirm.title': 'Ist das Ihr Token?',
  'tokens.confirm.lead':
    'Ihr Passwort oder zweiter Schritt hat sich geändert. Behalten Sie dieses Token nur, wenn Sie es kennen.',
  'tokens.keep': 'Token behalten',
  'tokens.confirmed': 'Das Token gilt wieder.',
  'tokens.revoke': 'Widerrufen',
  'tokens.revoked': 'Token widerrufen.',
  'permission.activity-read': 'Die Aktivitäten Ihres Kontos lesen',
  'mail.token-ends.subject': 'Ein Token Ihres Kontos läuft bald ab',
  'mail.token-ends.text':
    'Guten Tag,\n\ndas Token „{name}“ Ihres Kontos läuft am {at} UTC ab. Programme, die es benutzen, werden ab dann abgelehnt.\n\nWenn ein Programm es noch braucht, erstellen Sie vorher ein neues Token und geben Sie es dem Programm:\n\n{url}\n\nSonst ist nichts zu tun.',
}
