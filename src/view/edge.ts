/** Views by edge.js, the default engine. @module */
export { EdgeViewEngine } from './edge-view-engine.ts'
