/** The application: modules, middleware bands, controllers, and the request cycle. @module */
export { App } from './app.ts'
export { Controller } from './controller.ts'
export { MiddlewareBands } from './middleware-bands.ts'
export { defineModule, Module, type ModuleDefinition } from './module.ts'
export type { AppOptions, FetchOptions } from './options.ts'
export { SecurityHeaders } from './security-headers.ts'
export { under } from './under.ts'
