/** The context of one request. @module */
export { type ActionLimits, type ContextServices, DEFAULT_ACTION_LIMITS } from './context-services.ts'
export { HttpContext } from './http-context.ts'
export { Flash, type FlashMessage } from './flash.ts'
