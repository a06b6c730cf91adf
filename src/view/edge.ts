/** Views by edge.js, the default engine. @module */
export { EdgeViewEngine, type EdgeViewEngineOptions } from './edge-view-engine.ts'
