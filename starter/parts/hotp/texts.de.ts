/** Its texts in German. */
export const de = {
  'challenge.hint.hotp':
    'Drücken Sie den Knopf Ihres Codegenerators und geben Sie die sechs Ziffern ein, die er anzeigt.',
  'challenge.code.hotp': 'Benutzen Sie den neuesten Code. Ältere gelten dann nicht mehr.',
  'factor.hotp': 'Codegenerator „{label}“',
  'security.kind.hotp': 'Codegenerator',
  'sessions.proven.hotp': 'Codegenerator',
  'setup.title.hotp': 'Codegenerator mit Zähler hinzufügen',
  'setup.lead.hotp': 'Für Geräte mit einem Knopf. Wenn möglich, benutzen Sie eine App: Sie ist sicherer.',
  'setup.other.hotp': 'Erzeugt Ihr Gerät Codes mit einem Zähler, weil es keine Uhr hat?',
  'setup.replace.lead.hotp':
    'Richten Sie den neuen Codegenerator ein. Der alte gilt, bis Sie den ersten richtigen Code des neuen eingeben.',
  'setup.picture.hotp': 'QR-Code mit dem Schlüssel des Codegenerators',
  'setup.key.hotp': 'Geben Sie diesen Schlüssel im Programm des Geräts ein, oder scannen Sie den QR-Code:',
  'setup.open.hotp': 'Im Programm öffnen',
  'setup.code.hotp': 'Drücken Sie den Knopf des Geräts und geben Sie die sechs Ziffern ein, die es anzeigt.',
  'setup.added.hotp': 'Codegenerator hinzugefügt. Auf allen anderen Geräten wurden Sie abgemeldet.',
  'setup.name.hotp': 'Mein Token',
}
