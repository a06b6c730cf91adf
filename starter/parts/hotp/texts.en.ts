/** Its texts in English. */
export const en = {
  'challenge.hint.hotp': 'Press the button of your code generator and type the six digits it shows.',
  'challenge.code.hotp': 'Use the newest code. Older codes stop working.',
  'factor.hotp': 'Code generator “{label}”',
  'security.kind.hotp': 'Code generator',
  'sessions.proven.hotp': 'code generator',
  'setup.title.hotp': 'Add a code generator with a counter',
  'setup.lead.hotp': "For hardware tokens with a button. If you can, use an app: it's safer.",
  'setup.other.hotp': 'Does your device make codes from a counter, because it has no clock?',
  'setup.replace.lead.hotp':
    'Set up the new code generator. The old one works until you enter the first correct code of the new one.',
  'setup.picture.hotp': 'QR code with the key of the code generator',
  'setup.key.hotp': 'Enter this key in the program of the device, or scan the QR code:',
  'setup.open.hotp': 'Open in its program',
  'setup.code.hotp': 'Press the button of the device and type the six digits that it shows.',
  'setup.added.hotp': 'Code generator added. We signed you out on all other devices.',
  'setup.name.hotp': 'My token',
}
