/** What other folders of the framework need of languages. @module */
export type { MessageValues } from './translator.ts'
