import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'unlock.title': 'Diesen Browser freigeben',
  'unlock.lead':
    'Codes sind nach zu vielen falschen ausgesetzt. Geben Sie diesen Browser frei, um es noch einmal zu versuchen: fünf Versuche, zehn Minuten.',
  'unlock.submit': 'Freigeben',
  'unlock.nothing': 'Wenn Sie sich jetzt nicht anmelden möchten, schließen Sie diese Seite.',
  'unlock.done': 'Dieser Browser ist für zehn Minuten freigegeben.',
  'unlock.outdated.text':
    'Er ist abgelaufen oder wurde schon benutzt. Warten Sie, bis die Sperre endet, oder benutzen Sie einen anderen zweiten Schritt.',
  'challenge.locked.mail': 'Wir haben Ihnen einen Link gesendet, der diesen Browser freigibt.',
  'notice.factor-locked.unlock':
    'Wenn Sie sich vorher anmelden möchten, öffnen Sie diesen Link in dem Browser, in dem Sie sich anmelden. Damit machen Sie in diesem Browser weiter, und in keinem anderen. Er gilt einmal, eine Stunde lang, und meldet niemanden an:',
  'notice.factor-unlocked.subject': 'Ein Browser wurde für Ihr Konto freigegeben',
  'notice.factor-unlocked.text':
    'der Link einer Mail über einen gesperrten zweiten Schritt wurde benutzt. Der Browser, in dem er geöffnet wurde, darf fünf weitere Codes versuchen. In anderen Browsern bleibt die Sperre, bis ihre Zeit vorbei ist oder einer dieser Codes richtig war.',
  'event.factor-unlocked': 'Browser über den Link in einer Mail freigegeben',
}
