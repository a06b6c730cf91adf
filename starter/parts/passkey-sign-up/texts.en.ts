/** Its texts in English. */
export const en = {
  'passkey-sign-up.offer': 'Create a passkey instead of a password',
  'passkey-sign-up.title': 'Create your passkey',
  'passkey-sign-up.lead':
    'Your device asks for its PIN, your fingerprint or your face. After that, the passkey signs you in, without a password.',
  'passkey-sign-up.password': 'Choose a password instead',
}
