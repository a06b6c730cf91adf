/** Files on Node: public folders. @module */
export { StaticFiles } from './static-files.ts'
