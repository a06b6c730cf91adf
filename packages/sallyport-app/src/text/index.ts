/** Texts that people type: addresses, names, codes. Each is bounded before it costs time. @module */
export {
  type AddressForm,
  addressForm,
  dnsAddress,
  emailField,
  emailKey,
  readableAddress,
} from './email-address.ts'
export { MAX_NORMALIZED_LENGTH, normalizedText } from './normalized-text.ts'
export { isOwnerName, isPlainLine, NAME_CHARACTERS } from './plain-line.ts'
export { newRecoveryCode, readRecoveryCode, type RecoveryCode, shownRecoveryCode } from './recovery-code.ts'
export { typedCode } from './typed-code.ts'
