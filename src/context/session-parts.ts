/** What sessions are made of, loaded at boot by applications that can have them. @module */
export { SessionAuthentication } from '../auth/internal.ts'
export { Csrf } from '../csrf/index.ts'
export { MemorySessionStore, SessionPolicy } from '../session/index.ts'
export { BoundedSessionStore, isMemorySessionStore, RequestSession } from '../session/internal.ts'
export { Flash } from './flash.ts'
