/** What other folders of the framework need to look at routes: to list them, to explain a URL, to check all. @module */
export { Inspection } from './inspection.ts'
export { declarationOf } from './route-types.ts'
