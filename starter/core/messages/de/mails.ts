export const mails = {
  'mail.confirm.subject': 'Bestätigen Sie Ihre Adresse',
  'mail.confirm.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Wenn Sie das waren, öffnen Sie diesen Link und wählen Sie Ihr Passwort:\n\n{url}\n\nDer Link gilt einmal, eine Stunde lang. Wenn Sie das nicht waren, tun Sie nichts: Ohne den Link entsteht kein Konto.',
  'mail.known.subject': 'Sie haben bereits ein Konto',
  'mail.known.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Es gibt schon eines. Melden Sie sich stattdessen an:\n\n{url}\n\nWenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
  'mail.known-disabled.subject': 'Ihr Konto ist gesperrt',
  'mail.known-disabled.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Es gibt schon eines, das die Verwaltung gesperrt hat. Niemand kann sich damit anmelden.\n\nWenn Sie das waren, fragen Sie die Verwaltung der Seite. Wenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
}
