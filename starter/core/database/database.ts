import { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** The database of the application: what services ask for. Functions that also run in a transaction take a `Kysely<Schema>`. */
export class Database extends Kysely<Schema> {}
