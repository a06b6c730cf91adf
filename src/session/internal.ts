/** What other folders of the framework need of sessions beside what users import. @module */
export { BoundedSessionStore } from './bounded-session-store.ts'
export { IDENTITY_KEY } from './identity-key.ts'
export { isRequestSession } from './is-request-session.ts'
export { LateChange, Refusal, refuseOrWarn, warnWhenLate } from './refusal.ts'
export { assertSession, hasMethods } from './session-argument.ts'
export { noStore, UnnamedSessionStore } from './unnamed-session-store.ts'
