/** Strings that people type and read: addresses, names, codes. Each is bounded before it costs time. @module */
export {
  type AddressForm,
  addressForm,
  dnsAddress,
  emailField,
  emailKey,
  readableAddress,
} from './email-address.ts'
export { initialsOf } from './initials.ts'
export { joinedTexts } from './joined-texts.ts'
export { LABEL_CHARACTERS, labelField, ownerNameField } from './name-fields.ts'
export { MAX_NORMALIZED_LENGTH, normalizedText } from './normalized-text.ts'
export { isOwnerName, isPlainLine, NAME_CHARACTERS, plainValue } from './plain-line.ts'
export { newRecoveryCode, readRecoveryCode, type RecoveryCode, shownRecoveryCode } from './recovery-code.ts'
export { typedCode } from './typed-code.ts'
