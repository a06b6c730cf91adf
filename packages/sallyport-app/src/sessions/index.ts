/** What sessions keep of the account that is signed in: its credentials, what was proven in them, and from where. @module */
export { CredentialVersions, type HeldCredentials } from './credential-versions.ts'
export {
  type EndedSessionTable,
  type EndedSessionTables,
  endedSessionTables,
  hasNotEnded,
  noteEnded,
} from './ended-sessions.ts'
export {
  currentOf,
  heldBy,
  type OpenSession,
  OpenSessions,
  type SessionOwner,
  type StandingCredentials,
} from './open-sessions.ts'
export {
  addProofs,
  discardProofs,
  formatProofs,
  parseProofs,
  type Proofs,
  readProofs,
  recordProofs,
} from './proofs.ts'
export { type AccountIdentity, ResolveIdentity } from './resolve-identity.ts'
export {
  type CurrentCredentials,
  hasCurrentCredentials,
  keepCredentialVersion,
  type KeptCredentials,
  keptCredentialVersion,
} from './session-credentials.ts'
export { readSessionDetails, type SessionDetails, sessionDetails } from './session-details.ts'
