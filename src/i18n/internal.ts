/** What other folders of the framework use of languages, without their heavy parts. @module */
export { hasHeavyParts } from './heavy-parts.ts'
export { Locales } from './locales.ts'
export type { MessageValues } from './message-request.ts'
export { Translator } from './translator.ts'
