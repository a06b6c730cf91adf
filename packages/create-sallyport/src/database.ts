/**
 * Where a project keeps its data: SQLite, which needs nothing, or PostgreSQL.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'
import { MINIMAL } from './catalogue.ts'
import type { Files } from './files.ts'
import { template, type NewProject } from './project.ts'

/** The databases. */
export const DATABASES: readonly string[] = ['sqlite', 'postgres']

/** Compose file of PostgreSQL on a development machine. */
export const COMPOSE = 'compose.postgres.yml'

/**
 * @param database One of {@link DATABASES}.
 * @param preset Name of the preset.
 * @throws {RangeError} If there is no such database, or the preset cannot use it.
 */
export function assertDatabase(database: string, preset: string): void {
  if (!DATABASES.includes(database))
    throw new RangeError(`there is no database "${database}": use ${DATABASES.join(', ')}`)
  if (database === 'postgres' && preset === MINIMAL)
    throw new RangeError(`the preset "${MINIMAL}" keeps its data in SQLite: take "standard" for PostgreSQL`)
}

/**
 * @param project What the project is.
 * @returns The settings of a development machine, with a password of its own, and the service that they name.
 */
export function postgresFiles(project: NewProject): Files {
  const password = randomBytes(16).toString('hex')
  const settings = [
    `# For this machine; git ignores this file. ${COMPOSE} reads the password, too.`,
    `POSTGRES_PASSWORD=${password}`,
    `DATABASE_URL=postgres://app:${password}@127.0.0.1:5432/app`,
  ]
  return new Map([
    ['.env', `${settings.join('\n')}\n`],
    [COMPOSE, template(COMPOSE, project)],
  ])
}
