/** What other folders of the framework need to look at routes: to list them, to explain a URL, to check all. @module */
export type { RouteAudit, RouteFinding } from './audit/finding.ts'
export type { RouteExplanation } from './explanation.ts'
export { Inspection } from './inspection.ts'
export type { ListedRoute } from './route-listing.ts'
export { declarationOf } from './route-types.ts'
