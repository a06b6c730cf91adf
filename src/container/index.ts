/** Services: registered in the composition root or built once on first use, given by `inject()`. @module */
export { Container, ContainerException, inject, type RequestScope } from './container.ts'
export { Definitions } from './definitions.ts'
export { Binding, binding, type Constructor, type Token } from './token.ts'
