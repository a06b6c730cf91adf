/** The context of one request. @module */
export { Flash, type FlashMessage, type FlashOptions } from './flash.ts'
export { HttpContext } from './http-context.ts'
