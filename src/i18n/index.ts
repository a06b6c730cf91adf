/** Languages: locale negotiation and translated messages. @module */
import './attached-negotiation.ts'
export { Locales } from './locales.ts'
export type { MessageId, RegisteredMessages } from './message-request.ts'
export { Translator } from './translator.ts'
