import { Kysely } from 'kysely'

/**
 * The database of an application: what services ask for with `inject()`. An application names its own tables once, and exports both the
 * class and the type: `const Database: typeof AnyDatabase<Schema> = AnyDatabase`.
 *
 * A function that also runs in a transaction takes a `Kysely<Tables>`.
 */
export class Database<Tables> extends Kysely<Tables> {}
