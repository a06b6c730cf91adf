/** What other folders of the framework use in addition to the entry. @module */
export { requiredArguments } from './constructor-source.ts'
export { Container, type RequestScope } from './container.ts'
