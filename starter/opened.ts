import type { Clock } from 'sallyport'
import { type Opened, openProgram } from 'sallyport-app/program'
import { createApplication } from './application.ts'
import type { Environment } from './core/boot/environment.ts'
import { BRAND } from './core/brand.ts'
import { migrationsOf } from './core/database/migrations.ts'
import type { Schema } from './core/database/schema.ts'
import type { Settings } from './core/settings.ts'
import { PARTS } from './parts.ts'

/**
 * Opens the databases and assembles the application: the same one for the server and for every command.
 *
 * @throws {StartupError} If the data folder, the key or a database cannot be used, or a page has a path like the base path.
 */
export function openApplication(environment: Environment, clock: Clock): Promise<Opened> {
  const { basePath, isProduction, ofParts } = environment
  return openProgram<Schema>(environment, {
    name: BRAND.name,
    clock,
    migrations: migrationsOf(PARTS),
    assemble: ({ origin, ...given }) => {
      const chosen = ofParts.map(({ settings }) => settings)
      const settings = Object.assign({ origin, basePath }, ...chosen) as Partial<Settings>
      return createApplication({ ...given, clock, settings, cacheTemplates: isProduction })
    },
  })
}
