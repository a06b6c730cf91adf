/** Languages: locale negotiation and translated messages. @module */
export { Locales } from './locales.ts'
export type { MessageId, RegisteredMessages } from './message-request.ts'
export { Translator } from './translator.ts'
