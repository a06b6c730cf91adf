/** What looks at the routes of an application: it lists them, explains a URL, and checks all of them. @module */
export type { RouteAudit, RouteFinding } from './audit/finding.ts'
export type { RouteExplanation } from './explanation.ts'
export type { Inspection } from './inspection.ts'
export type { ListedRoute } from './route-listing.ts'
