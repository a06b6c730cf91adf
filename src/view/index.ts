/** Pages: the view that an action returns, and the engine that renders it. @module */
export { ViewEngine } from './view-engine.ts'
export { View } from './view.ts'
