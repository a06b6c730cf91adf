/** What other folders of the framework use in addition to the entry. @module */
export { Container, type RequestScope } from './container.ts'
