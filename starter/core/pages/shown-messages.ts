import type { FlashMessage } from 'sallyport'

// They say where a sign-in stands that is not completed, or how it ended. Requests that were under way when another one completed
// it leave them, too, and then they are not true any more.
const BEFORE_SIGN_IN: ReadonlySet<string> = new Set([
  'sign-in.expired',
  'sign-in.unavailable',
  'sign-in.spent',
  'sign-in.unknown-factor',
  'sign-in.cancelled',
  'enrollment.expired',
  'enrollment.mail.sent',
  'enrollment.too-early',
])

/** @returns What the page shows: each message once, however many requests left it, and nothing about a sign-in that is completed. */
export function shownMessages(
  messages: readonly FlashMessage[],
  isSignedIn: boolean,
): readonly FlashMessage[] {
  const told = isSignedIn ? messages.filter(({ text }) => !BEFORE_SIGN_IN.has(text)) : messages
  return [...new Map(told.map((message) => [message.text, message])).values()]
}
