/** Authenticators for tests of passkeys: one in software, for responses that no browser would make, and that of Chromium. @module */
export {
  type Attestation,
  type CborMap,
  optionsOf,
  type ResponseOptions,
  SoftwareAuthenticator,
} from './software-authenticator.ts'
export { hurryPasskeys, type KeptCredential, type KeyOptions, VirtualKey } from './virtual-key.ts'
