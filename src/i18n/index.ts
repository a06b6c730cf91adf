/** Languages: locale negotiation and translated messages. @module */
export { Locales } from './locales.ts'
export { Translator } from './translator.ts'
