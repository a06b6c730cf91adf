/** The context of one request. @module */
export { type ContextServices, HttpContext } from './http-context.ts'
export { Flash, type FlashMessage } from './flash.ts'
