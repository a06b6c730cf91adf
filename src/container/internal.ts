/** What the other folders of the framework may use beside the entry. @module */
export { requiredArguments } from './constructor-source.ts'
export { Container, type RequestScope } from './container.ts'
