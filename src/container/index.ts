/** Services: registered in the composition root or built on first use, and injected by `inject()`. @module */
export { ContainerException, inject } from './container.ts'
export { Definitions } from './definitions.ts'
export { Binding, binding, type Token } from './token.ts'
