/** Authentication and permissions. Guards, roles and second-factor flows belong to the application. @module */
export { type AccountSession, AccountSessions } from './account-sessions.ts'
export { AnonymousException, Authentication } from './authentication.ts'
export type { HashImplementation } from './hash-function.ts'
export type { LoginOptions, LogoutOptions } from './login-arguments.ts'
export { type HashOptions, PasswordHasher } from './password-hasher.ts'
export {
  argon2id,
  bcrypt,
  PASSWORD_ARGON2ID,
  PASSWORD_BCRYPT,
  PASSWORD_DEFAULT,
  type PasswordAlgorithm,
  type PasswordOptions,
  type PasswordPolicy,
} from './password-policy.ts'
export { PermissionSet } from './permission-set.ts'
export { SessionAuthentication } from './session-authentication.ts'
