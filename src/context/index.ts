/** The context of one request. @module */
export type { ContextServices } from './context-services.ts'
export { HttpContext } from './http-context.ts'
export { Flash, type FlashMessage } from './flash.ts'
