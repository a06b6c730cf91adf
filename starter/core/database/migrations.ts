import type { NamedMigration } from 'sallyport-app/database'
import type { Part } from '../part.ts'
import { core } from './migrations/core.ts'

/**
 * They run in the order of their names: the tables of the core before those that refer to them, and the later ones of a part, such as
 * `part_tokens.02`, after its first one.
 *
 * @returns What makes the tables of the core and of parts.
 */
export function migrationsOf(parts: readonly Part[]): readonly NamedMigration[] {
  return [{ name: 'core', statements: core }, ...parts.flatMap(migrationsOfPart)]
}

function migrationsOfPart({ name, migration = [], laterMigrations = [] }: Part): readonly NamedMigration[] {
  return [migration, ...laterMigrations].flatMap((statements, index) => {
    // A point, which no name of a part has; two digits, so that the tenth comes after the ninth.
    const number = index === 0 ? '' : `.${String(index + 1).padStart(2, '0')}`
    return statements.length === 0 ? [] : [{ name: `part_${name.replaceAll('-', '_')}${number}`, statements }]
  })
}
