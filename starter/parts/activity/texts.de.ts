/** Its texts in German. */
export const de = {
  'activity.title': 'Aktivitäten',
  'activity.lead': 'Anmeldungen und Änderungen an Ihrem Konto. Sie bleiben mindestens 90 Tage erhalten.',
  'activity.empty': 'Es ist noch nichts geschehen.',
  'activity.pages': 'Seiten der Aktivitäten',
  'activity.newest': 'Neueste Einträge',
  'activity.older': 'Ältere Einträge',
  'activity.export': 'Alles als Datei:',
  'activity.all': 'Alle Aktivitäten',
  'activity.leaving': 'Vorher können Sie das Protokoll Ihres Kontos als Datei mitnehmen:',
}
