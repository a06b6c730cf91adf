/** Languages: which one suits a client, and messages in it. @module */
export { Locales } from './locales.ts'
export { Translator } from './translator.ts'
