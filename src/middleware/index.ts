/** Middlewares that an application registers where it needs them. @module */
export { BasicAccessMiddleware } from './basic-access-middleware.ts'
export { Compression } from './compression.ts'
export { Cors } from './cors.ts'
export { CsrfMiddleware } from './csrf-middleware.ts'
export { MethodOverrideMiddleware } from './method-override-middleware.ts'
export { RouteLocale } from './route-locale.ts'
