import { defineModule, type ModuleDefinition, ProblemErrors } from 'sallyport'
import type { Parts } from '../../core/part.ts'
import { ActivityController } from './activity-controller.ts'
import { MeController } from './me-controller.ts'
import { RequireScope } from './require-scope.ts'
import { ResolveToken } from './resolve-token.ts'

/**
 * For programs: a Bearer token for each request, and no session. So there is no cookie that a browser sends by itself, and nothing
 * that CSRF protection would protect.
 *
 * @returns The module.
 */
export function apiModule(parts: Parts): ModuleDefinition {
  const added = parts.all.flatMap(({ api }) => api ?? [])
  return defineModule('Api', (module) =>
    module
      .mount('api')
      .withoutConventionRouting()
      .errors(ProblemErrors)
      .controllers(MeController, ActivityController, ...added.flatMap(({ controllers }) => controllers))
      .middleware(ResolveToken)
      .routes((routes) => {
        routes.get('/me', [MeController, 'index']).name('me')
        routes.delete('/me/token', [MeController, 'tokenDelete'])
        const read = RequireScope.of('activity.read')
        routes.get('/activity', [ActivityController, 'index']).name('activity').middleware(read)
        for (const each of added) each.routes(routes)
      }),
  )
}
