/** What other folders of the framework use of languages. @module */
export type { MessageValues } from './message-request.ts'
