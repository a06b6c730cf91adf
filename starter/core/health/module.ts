import { defineModule, type ModuleDefinition } from 'sallyport'
import { HealthController } from './health-controller.ts'

/** Where programs ask how the process is, without the base path. */
export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz']

const alive: ModuleDefinition = defineModule('Alive', (module) =>
  module
    .mount('healthz')
    .withoutConventionRouting()
    .controllers(HealthController)
    .routes((routes) => {
      routes.get('/', [HealthController, 'alive'])
    }),
)

const ready: ModuleDefinition = defineModule('Ready', (module) =>
  module
    .mount('readyz')
    .withoutConventionRouting()
    .controllers(HealthController)
    .routes((routes) => {
      routes.get('/', [HealthController, 'ready'])
    }),
)

export const health: readonly ModuleDefinition[] = [alive, ready]
