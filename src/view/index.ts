/** Pages: what an action returns, and the engine that renders it. @module */
export { View, type ViewOptions } from './view.ts'
export { ViewEngine } from './view-engine.ts'
