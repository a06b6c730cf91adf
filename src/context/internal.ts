/** What the application needs to create a context. @module */
export { whileArriving } from './confirm-identity.ts'
export { type RequestSessions, type SessionParts, sessionParts } from './late-sessions.ts'
export { type ActionLimits, type ContextServices, DEFAULT_ACTION_LIMITS } from './context-services.ts'
export { type CrossOriginPolicy, crossOriginPolicyOf, giveCrossOriginPolicy } from './cross-origin-policy.ts'
