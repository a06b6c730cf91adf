/** What other folders of the framework need to look at routes: to list them, to explain a URL, to check all. @module */
export { type InspectedParts, Inspection } from './inspection.ts'
