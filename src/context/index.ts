/** The context of one request. @module */
export { Flash } from './flash.ts'
export type { FlashMessage, FlashOptions } from '../session/internal.ts'
export { HttpContext } from './http-context.ts'
