import { SessionPolicy } from 'sallyport/session'

/**
 * Lifetimes of sessions (ASVS 5.0, 7.1.1). Idle: half an hour, because the account page shows where a user signed in from, and
 * browsers are left open. Absolute: a working day. Concurrent sessions are allowed; each has its own lifetime.
 */
export const SESSION_POLICY: SessionPolicy = new SessionPolicy({
  idleSeconds: 30 * 60,
  absoluteSeconds: 12 * 60 * 60,
})
