export const errors = {
  'error.400.title': 'Ihre Anfrage war nicht lesbar',
  'error.400.text': 'Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  'error.403.title': 'Nicht erlaubt',
  'error.403.text': 'Ihr Konto darf diese Seite nicht öffnen: Ihm fehlt das nötige Recht.',
  'error.404.title': 'Seite nicht gefunden',
  'error.404.text': 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite gibt es nicht mehr.',
  'error.404.told': 'Es wurde nichts geändert: Was Sie gewählt haben, gibt es nicht oder nicht mehr.',
  'error.405.title': 'Dieser Link geht nicht für sich allein',
  'error.405.text': 'Gehen Sie zurück und benutzen Sie die Schaltfläche auf der Seite.',
  'error.409.title': 'Das wurde schon gelöscht',
  'error.409.text': 'Es wurde inzwischen gelöscht. Sonst wurde nichts geändert.',
  'error.413.title': 'Ihre Anfrage ist zu groß',
  'error.413.text':
    'Versuchen Sie es mit einer kleineren Datei oder weniger Text. Gehen Sie zurück; Ihr Formular ist noch ausgefüllt.',
  'error.429.title': 'Zu viele Versuche',
  'error.429.text': 'Warten Sie eine Weile und versuchen Sie es dann noch einmal.',
  'error.500.title': 'Etwas ist schiefgegangen',
  'error.500.text': 'Das Problem liegt bei uns. Versuchen Sie es gleich noch einmal.',
  'error.503.title': 'Vorübergehend nicht verfügbar',
  'error.503.text':
    'Diese Seite ist stark ausgelastet, oder ein Teil von ihr ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  'error.out-of-date.title': 'Diese Seite war veraltet',
  'error.out-of-date.text':
    'Es wurde nichts geändert: Seit Sie die Seite geöffnet haben, haben Sie sich an- oder abgemeldet, ist zu viel Zeit vergangen, oder was sie zeigt, ist inzwischen anders. Öffnen Sie sie neu, um den jetzigen Stand zu sehen.',
  'error.out-of-date.told':
    'Es wurde nichts geändert: Die Seite, die Sie benutzt haben, war veraltet. Das ist der jetzige Stand.',
  'error.out-of-date.typed': 'Das hatten Sie eingegeben',
  'error.unreadable.title': 'Dieser zweite Schritt lässt sich gerade nicht prüfen',
  'error.unreadable.text':
    'Das Problem liegt bei uns, und Ihr Versuch wurde nicht gezählt. Benutzen Sie einen anderen Faktor oder einen Wiederherstellungscode, oder versuchen Sie es später noch einmal.',
  'error.sign-out.title': 'Sie sind noch angemeldet',
  'error.sign-out.text':
    'Ein Teil dieser Seite ist nicht erreichbar, darum konnten Sie nicht abgemeldet werden. Versuchen Sie es gleich noch einmal, und überlassen Sie diesen Browser niemandem, bevor es gelungen ist.',
  'error.reference': 'Wenn Sie um Hilfe bitten, nennen Sie diese Kennung:',
  'error.account': 'Ihr Konto',
  'error.sign-in': 'Erneut anmelden',
  'error.again': 'Die Seite neu öffnen',
  'error.home': 'Zur Startseite',
  'rule.reason_missing': 'Geben Sie einen Grund von 5 bis 500 Zeichen in einer Zeile an.',
}
