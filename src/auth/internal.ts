/**
 * What other folders of the framework need of authentication: not the hashing, whose native code is loaded by those only
 * who import `sallyport/auth`. @module
 */
export { Authentication } from './authentication.ts'
export { SessionAuthentication } from './session-authentication.ts'
