import { RequestSession } from './request-session.ts'

/**
 * @param given Any value. The function never throws.
 * @returns Whether it is a session of the framework itself. A proxy of one, or an object derived from one, lacks the
 * private members that the framework's methods need.
 */
export function isRequestSession(given: unknown): given is RequestSession {
  if (typeof given !== 'object' || given === null) return false
  try {
    // Reads a private member, which only a constructed instance has.
    Reflect.get(RequestSession.prototype, 'isEnded', given)
    return true
  } catch {
    return false
  }
}
