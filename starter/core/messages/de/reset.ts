export const reset = {
  'reset.title': 'Passwort vergessen?',
  'reset.lead':
    'Wir senden Ihnen einen Link, über den Sie ein neues Passwort wählen. Ihr zweiter Schritt bleibt, wie er ist.',
  'reset.signed-in':
    'Sie sind angemeldet. Ein neues Passwort meldet Sie überall ab, auch hier, und Sie melden sich mit dem neuen an.',
  'reset.submit': 'Link senden',
  'reset.back': 'Zurück zur Anmeldung',
  'reset.link': 'Passwort vergessen?',
  'reset.locked': 'Es wurden zu viele Links angefordert.',
  'reset.sent.title': 'Sehen Sie in Ihrem Postfach nach',
  'reset.sent.text':
    'Wenn Sie einen Link angefordert haben und ein Konto diese Adresse hat, ist eine Mail damit unterwegs. Er gilt einmal, 30 Minuten lang.',
  'reset.new.title': 'Neues Passwort wählen',
  'reset.new.who': 'Sie wählen ein neues Passwort für',
  'reset.new.ends':
    'Das Konto wird überall abgemeldet. Danach melden Sie sich mit dem neuen Passwort an, und mit Ihrem zweiten Schritt, wenn Sie einen haben.',
  'reset.new.submit': 'Passwort setzen',
  'reset.outdated.text':
    'Er ist abgelaufen, wurde schon benutzt, oder das Konto hat sich inzwischen geändert.',
  'reset.done': 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  'mail.reset.subject': 'Wählen Sie ein neues Passwort',
  'mail.reset.text':
    'Guten Tag,\n\njemand hat für das Konto mit dieser Adresse ein neues Passwort angefordert. Wenn Sie das waren, öffnen Sie diesen Link und wählen Sie eines:\n\n{url}\n\nDer Link gilt einmal, 30 Minuten lang. Wenn Sie das nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  'mail.reset-disabled.subject': 'Ihr Konto ist gesperrt',
  'mail.reset-disabled.text':
    'Guten Tag,\n\njemand hat für das Konto mit dieser Adresse ein neues Passwort angefordert. Die Verwaltung hat dieses Konto gesperrt. Deshalb bekommt es kein neues Passwort, und niemand kann sich damit anmelden.\n\nWenn Sie das waren, fragen Sie die Verwaltung der Seite. Wenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
  'mail.reset-unknown.subject': 'Mit dieser Adresse gibt es kein Konto',
  'mail.reset-unknown.text':
    'Guten Tag,\n\njemand hat für ein Konto mit dieser Adresse ein neues Passwort angefordert. Es gibt keines. Wenn Sie das waren, versuchen Sie es mit Ihren anderen Adressen:\n\n{url}\n\nWenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
}
