import { Kysely, type Transaction } from 'kysely'

/**
 * The database of an application: what services ask for with `inject()`. An application names its own tables once, and exports both the
 * class and the type: `const Database: typeof AnyDatabase<Schema> = AnyDatabase`.
 */
export class Database<Tables> extends Kysely<Tables> {}

/** Where statements run: a database, or a transaction of it. From each of them the compiler reads the tables of the application. */
export type Connection<Tables> = Database<Tables> | Kysely<Tables> | Transaction<Tables>
