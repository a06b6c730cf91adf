import { defineModule, type ModuleDefinition } from 'sallyport'
import { HealthController } from './health-controller.ts'

/** Where programs ask how the process is, without the base path. */
export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz']

function check(name: string, action: 'alive' | 'ready'): ModuleDefinition {
  return defineModule(name, (module) =>
    module
      .mount(name)
      .withoutConventionRouting()
      .controllers(HealthController)
      .routes((routes) => {
        routes.get('/', [HealthController, action])
      }),
  )
}

/** The modules of `/healthz` (the process lives) and `/readyz` (its database, sessions and queue of mails answer). */
export const health: readonly ModuleDefinition[] = [check('healthz', 'alive'), check('readyz', 'ready')]
