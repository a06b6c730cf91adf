/** Key of the session entry that references the signed-in account. */
export const IDENTITY_KEY = '_auth'
/** Key of the entry that describes the session of an account; see `account-entry.ts`. Applications cannot use it. */
export const ACCOUNT_KEY = '_account'
