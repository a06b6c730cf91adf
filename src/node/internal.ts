/** What other folders of the framework may know of the adapter. @module */
export { isParsedMethod } from './parsed-method.ts'
