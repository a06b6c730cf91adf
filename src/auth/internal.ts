/**
 * What other folders of the framework use of authentication. Hashing is left out, because its native code is loaded only
 * when an application imports `sallyport/auth`. @module
 */
export { Authentication } from './authentication.ts'
export { SessionAuthentication } from './session-authentication.ts'
