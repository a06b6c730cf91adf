export const mustEnroll = {
  'enrollment.required.lead':
    'Ihr Konto muss einen zweiten Schritt haben. Scannen Sie den QR-Code mit einer Authenticator-App, und geben Sie den Code ein, den sie anzeigt.',
  'enrollment.cancelled-required':
    'Abgebrochen. Ihr Konto muss einen zweiten Schritt haben: Die nächste Anmeldung fragt wieder danach.',
  'enrollment.cancelled-replacement':
    'Abgebrochen. Ihr Konto hat weiterhin seinen bisherigen zweiten Schritt.',
  'enrollment.mail.title': 'Sehen Sie in Ihrem Postfach nach',
  'enrollment.mail.text':
    'Ihr Passwort war richtig. Bevor ein zweiter Schritt eingerichtet wird, öffnen Sie in diesem Browser den Link, den wir an diese Adresse gesendet haben:',
  'enrollment.mail.hint': 'Der Link gilt 15 Minuten lang.',
  'enrollment.mail.again': 'Neuen Link senden',
  'enrollment.mail.sent': 'Ein neuer Link ist unterwegs. Der frühere gilt nicht mehr.',
  'enrollment.mail.locked': 'Es wurden zu viele Links gesendet.',
  'enrollment.confirm.title': 'Weiter mit dem zweiten Schritt',
  'enrollment.confirm.who': 'Sie richten den zweiten Schritt ein für',
  'enrollment.confirm.submit': 'Weiter',
  'enrollment.elsewhere.title': 'Dieser Link gilt hier nicht',
  'enrollment.elsewhere.text':
    'Er ist abgelaufen oder gehört zu einem anderen Browser. Melden Sie sich hier mit Ihrem Passwort an, dann senden wir Ihnen einen neuen Link.',
  'mail.enrollment.subject': 'Richten Sie Ihren zweiten Schritt ein',
  'mail.enrollment.text':
    'Guten Tag,\n\nIhr Passwort wurde gerade eingegeben, und für Ihr Konto soll ein zweiter Schritt eingerichtet werden. Wenn Sie das waren, öffnen Sie diesen Link im selben Browser:\n\n{url}\n\nDer Link gilt 15 Minuten lang. Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Öffnen Sie den Link nicht, und ändern Sie Ihr Passwort.',
}
