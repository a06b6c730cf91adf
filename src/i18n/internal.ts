/** What other folders of the framework use of languages, without negotiation. @module */
export { Locales } from './locales.ts'
export type { MessageValues } from './message-request.ts'
export { hasNegotiation } from './negotiation.ts'
export { Translator } from './translator.ts'
