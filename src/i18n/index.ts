/** Languages: which one suits a client, and messages in it. @module */
export { Locales } from './locales.ts'
export { type Catalogue, type MessageRequest, type MessageValues, Translator } from './translator.ts'
