import { Database as AnyDatabase } from 'sallyport-app/database'
import type { Schema } from './schema.ts'

/** The database of the application: what services ask for. Functions that also run in a transaction take a `Kysely<Schema>`. */
export const Database: typeof AnyDatabase<Schema> = AnyDatabase
export type Database = AnyDatabase<Schema>
