/** Its texts in German. */
export const de = {
  'activity.title': 'Aktivitäten',
  'activity.lead':
    'Was mit diesem Konto geschah, und von wo aus. Niemand kann es ändern, und die Datenbank bewahrt es mindestens 90 Tage auf.',
  'activity.empty': 'Es ist noch nichts geschehen.',
  'activity.pages': 'Seiten der Aktivitäten',
  'activity.newest': 'Neueste Einträge',
  'activity.older': 'Ältere Einträge',
  'activity.export': 'Alles als Datei:',
  'activity.all': 'Alle Aktivitäten',
  'activity.leaving': 'Vorher können Sie das Protokoll Ihres Kontos als Datei mitnehmen:',
}
