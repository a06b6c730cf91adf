import { RequestSession } from './request-session.ts'

/**
 * @param given Whatever was given. It never throws.
 * @returns Whether it is a session of the framework: no member of it needs to be looked up. What stands before one, a proxy
 * or an object made of it, is none: it has not what the methods of the framework need.
 */
export function isRequestSession(given: unknown): given is RequestSession {
  if (typeof given !== 'object' || given === null) return false
  try {
    // Reads a private member, which only one that was constructed has.
    Reflect.get(RequestSession.prototype, 'isEnded', given)
    return true
  } catch {
    return false
  }
}
