import type { HttpContext } from 'sallyport'
import { isSeen } from 'sallyport/http'
import { hostCookieName } from './cookie-names.ts'

// The value says nothing: that the cookie is there says it. It needs no signature: no other site can set it.
const NAME = 'refused'
// The next page is the one that the refusal leads to.
const SECONDS = 60

/**
 * Notes that a form did nothing, because nobody is signed in. The next login page says so: the session that could keep a message has ended.
 *
 * @param context Context of the request of that form. Anything that only reads is not noted.
 */
export function noteRefusedForm(context: HttpContext): void {
  if (context.method() === 'GET' || context.method() === 'HEAD') return
  context.cookies().set(hostCookieName(context, NAME), '1', { maxAgeSeconds: SECONDS })
}

/**
 * Tells it once to a person: a response that nobody sees leaves it for the next one.
 *
 * @param context Context of a request for the login page, or of one that signs in: whoever signs in may send the form again.
 * @returns Whether a form of this browser did nothing a moment ago.
 */
export function takeRefusedForm(context: HttpContext): boolean {
  const name = hostCookieName(context, NAME)
  if (context.cookies().get(name) === undefined) return false
  if (isSeen(context)) context.cookies().set(name, '', { maxAgeSeconds: 0 })
  return true
}
