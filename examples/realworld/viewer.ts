import type { HttpContext } from 'sallyport'
import type { User } from './domain/users.ts'

/** Who asks, behind a guard that lets nobody else through. */
export function userOf(context: HttpContext): User {
  // Nothing in this application authenticates anything but a user.
  return context.auth().principal() as User
}

/** Who asks; undefined if nobody is signed in. */
export function viewerOf(context: HttpContext): User | undefined {
  return context.auth().isAuthenticated() ? userOf(context) : undefined
}
