/** The default view engine, based on edge.js. @module */
export { EdgeViewEngine } from './edge-view-engine.ts'
