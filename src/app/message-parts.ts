/** What formats messages, loaded when something needs it. @module */
export { Translator } from '../i18n/internal.ts'
