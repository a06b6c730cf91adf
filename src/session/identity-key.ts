/** Key of the session entry that references the signed-in account. */
export const IDENTITY_KEY = '_auth'
