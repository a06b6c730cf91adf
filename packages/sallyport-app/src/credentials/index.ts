/** The versions of the credentials of accounts: each change raises one, and ends what was begun with an earlier one. @module */
export { CredentialVersions, type HeldCredentials } from './credential-versions.ts'
export {
  type EndedSessionTable,
  type EndedSessionTables,
  endedSessionTables,
  hasNotEnded,
  noteEnded,
} from './ended-sessions.ts'
