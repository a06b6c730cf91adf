/** Its texts in German. */
export const de = {
  'challenge.hint.hotp':
    'Drücken Sie den Knopf Ihres Codegenerators und geben Sie die sechs Ziffern ein, die er anzeigt.',
  'challenge.code.hotp': 'Jeder Code gilt einmal. Frühere gelten danach nicht mehr.',
  'factor.hotp': 'Codegenerator „{label}“',
  'security.kind.hotp': 'Codegenerator',
  'sessions.proven.hotp': 'Codegenerator',
  'setup.title.hotp': 'Codegenerator mit Zähler hinzufügen',
  'setup.lead.hotp':
    'Für Geräte ohne Uhr. Eine Authenticator-App ist die bessere Wahl: Sein Code gilt, bis er benutzt wird. Drücken Sie den Knopf also nicht ohne Grund.',
  'setup.other.hotp': 'Erzeugt Ihr Gerät Codes mit einem Zähler, weil es keine Uhr hat?',
  'setup.replace.lead.hotp':
    'Richten Sie den neuen Codegenerator ein. Der alte gilt, bis Sie den ersten richtigen Code des neuen eingeben.',
  'setup.picture.hotp': 'QR-Code mit dem Schlüssel des Codegenerators',
  'setup.key.hotp': 'Übertragen Sie diesen Schlüssel mit dem Programm des Geräts, oder scannen Sie das Bild:',
  'setup.open.hotp': 'Im Programm öffnen',
  'setup.code.hotp': 'Drücken Sie den Knopf des Geräts und geben Sie die sechs Ziffern ein, die es anzeigt.',
  'setup.added.hotp': 'Der Codegenerator wurde hinzugefügt. Alle anderen Sitzungen wurden abgemeldet.',
  'setup.name.hotp': 'Mein Token',
}
