/** Passwords: what is typed to sign in, what is too easy to guess, and one hash however a keyboard writes them. @module */
export { type Credentials, credentialsForm, invalidCredentials } from './credentials-form.ts'
export {
  MAX_PASSWORD_BYTES,
  type PasswordFault,
  type PasswordForm,
  passwordForm,
  type PasswordOptions,
  PasswordRule,
  SAME_PASSWORD,
} from './password-rule.ts'
export { preparedPassword, PreparedPasswords } from './prepared-passwords.ts'
