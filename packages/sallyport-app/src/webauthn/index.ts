/** Passkeys and security keys (WebAuthn Level 3): what browsers are asked, and whether they have answered rightly. @module */
export {
  type Binding,
  challengeTables,
  type ChallengeTables,
  discardChallenge,
  issueChallenge,
  spendChallenge,
  takeChallenge,
  type UsedChallengeTable,
} from './challenges.ts'
export { authenticatorName, distinctName } from './names.ts'
export type { UserVerification, WebAuthnSite } from './site.ts'
export {
  type Assertion,
  type CreationRequest,
  type KnownCredential,
  type NewCredential,
  type StoredCredential,
  WebAuthn,
} from './webauthn.ts'
