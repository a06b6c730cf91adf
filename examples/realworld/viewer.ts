import type { HttpContext } from 'sallyport'
import { User } from './domain/users.ts'

/** Who asks; undefined if nobody is signed in. */
export function viewerOf(context: HttpContext): User | undefined {
  return context.auth().isAuthenticated() ? userOf(context) : undefined
}

/** Who asks, behind a guard that lets nobody else through. */
export function userOf(context: HttpContext): User {
  return context.auth().principalAs(User)
}
