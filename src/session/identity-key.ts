/** Under this key a session keeps the reference of the account that is signed in. */
export const IDENTITY_KEY = '_auth'
