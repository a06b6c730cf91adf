import { SallyportException } from '../../core/index.ts'
import { sentence, shown } from '../../core/internal.ts'
import { isConstructor } from '../declaration/action-catalog.ts'
import {
  CONVENTION_PRIORITY,
  type ModuleContext,
  type ResolverDeclaration,
  type Step,
  TABLE_PRIORITY,
} from '../routed-module.ts'
import { RoutingException } from '../routing-exception.ts'
import type { Resolver, ResolverClass } from './resolver.ts'

/** The module of a resolver: its name in messages, and the application's services. */
type Owner = Pick<ModuleContext, 'service'> & { readonly label: string }

/** Makes a step of a declared resolver. */
export function resolverStep({ resolver: given, priority }: ResolverDeclaration, owner: Owner): Step {
  const resolver = instantiate(given, owner)
  if (Number.isFinite(priority)) return { kind: 'resolver', resolver, priority }
  const message = sentence`Cannot use a resolver of ${owner.label} with the priority ${shown(priority)}: it must be a finite number; lower runs first, the table is at ${TABLE_PRIORITY}, the convention at ${CONVENTION_PRIORITY}`
  throw new RoutingException('invalid-resolver', message)
}

function instantiate(resolver: ResolverClass | Resolver, owner: Owner): Resolver {
  const made: unknown = isConstructor(resolver) ? build(resolver, owner) : resolver
  if (isResolver(made)) return made
  const mend = sentence`pass a class or an instance with resolve(request)`
  const reason = sentence`${shown(resolver)} has no method resolve(request); ${mend}`
  throw new RoutingException('invalid-resolver', sentence`Cannot use a resolver of ${owner.label}: ${reason}`)
}

// What its constructor throws is the application's own, and knows its place.
function build(resolver: ResolverClass, { label, service }: Owner): unknown {
  try {
    return service(resolver)
  } catch (error) {
    if (!(error instanceof SallyportException)) throw error
    const message = sentence`Cannot use ${shown(resolver)} as a resolver of ${label}: ${error.message}`
    throw new RoutingException('invalid-resolver', message, { cause: error })
  }
}

function isResolver(value: unknown): value is Resolver {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'resolve') === 'function'
}
