/** What the other folders of the framework may use beside the entry. @module */
export { requiredArguments } from './constructor-source.ts'
