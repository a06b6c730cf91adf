/** What other folders of the framework may use of the adapter. @module */
export { isParsedMethod } from './parsed-method.ts'
