/** Its texts in English. */
export const en = {
  'challenge.hint.hotp': 'Press the button of your code generator and type the six digits it shows.',
  'challenge.code.hotp': 'Each code works once, and no earlier one after it.',
  'factor.hotp': 'Code generator “{label}”',
  'security.kind.hotp': 'Code generator',
  'sessions.proven.hotp': 'code generator',
  'setup.title.hotp': 'Add a code generator with a counter',
  'setup.lead.hotp':
    'For devices without a clock. An authenticator app is the better choice: a code from a counter stays valid until it is used, so do not press the button without need.',
  'setup.other.hotp': 'Does your device make codes from a counter, because it has no clock?',
  'setup.replace.lead.hotp':
    'Set up the new code generator. The old one works until you enter the first correct code of the new one.',
  'setup.picture.hotp': 'QR code with the key of the code generator',
  'setup.key.hotp': 'Load this key into the device with its program, or scan the picture:',
  'setup.open.hotp': 'Open in its program',
  'setup.code.hotp': 'Press the button of the device and type the six digits that it shows.',
  'setup.added.hotp': 'The code generator was added. All other sessions were signed out.',
  'setup.name.hotp': 'My token',
}
