/** What other folders of the framework need of routing: the application to build routers, `inspection` to look into them. @module */
export type { Action } from './declaration/action.ts'
export type { MemberName } from './declaration/controller-class.ts'
export type { ModuleRouting, ModuleStep } from './declaration/module-routing.ts'
export { readRouteLimits } from './declaration/route-limits.ts'
export { parameterFault } from './declaration/parameter.ts'
export { STRING } from './declaration/string-type.ts'
export { LinearExpression } from './expression/linear-expression.ts'
export type { ActionArguments } from './generation/action-arguments.ts'
export type { GivenParams, UncheckedUrls } from './generation/url-params.ts'
export { type BodyCeiling, type BodyLimitsOfRoute, bodyLimitsOf } from './resolution/body-limits.ts'
export type { EntryPoint } from './resolution/entry-points.ts'
export { PathPrefix } from './resolution/path-prefix.ts'
export {
  type Candidate,
  isResolverFault,
  type Outcome,
  type ResolverStep,
  type StepMatch,
} from './resolution/ask-resolver.ts'
export type { ResolverAnswer, Trace } from './resolution/resolution.ts'
export { resolverName } from './resolution/resolver.ts'
export { type RouteTarget, withHead } from './route.ts'
export type { RoutedModule, Step, UrlOwner } from './routed-module.ts'
export { loadConvention } from './late-convention.ts'
export { loadResolvers } from './late-resolvers.ts'
export type { RoutingModel } from './router.ts'
export { keyOf, type PatternSegment, placeholdersOf } from './table/pattern.ts'
export { isSameSegments } from './spelling.ts'
export { Search } from './table/search.ts'
export { SegmentNode } from './table/segment-node.ts'
export type { Table } from './table/table.ts'
export { comparePrecedence, decidingRule } from './table/precedence.ts'
export type { CompiledRoute, Variant } from './table/variant.ts'
export { ENCODED_SLASH, plain, type UrlPath } from './url-path.ts'
export type { UploadPlan } from './declaration/form-parameter.ts'
export { usesUploads } from './declaration/upload-use.ts'
