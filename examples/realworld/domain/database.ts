import { readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

type Values = Record<string, SQLInputValue>

/** SQLite. The caller of a query names the type of its rows. */
export class Database extends DatabaseSync {
  constructor(path = ':memory:') {
    super(path)
    this.exec(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'))
  }

  get<Row>(sql: string, values: Values = {}): Row | undefined {
    return this.prepare(sql).get(values) as Row | undefined
  }

  /** The objects in the column `json`. */
  list<T>(sql: string, values: Values = {}): T[] {
    return this.prepare(sql)
      .all(values)
      .map(({ json }) => JSON.parse(String(json)) as T)
  }

  /** Returns the id of the row that it has added. */
  run(sql: string, values: Values = {}): number {
    return Number(this.prepare(sql).run(values).lastInsertRowid)
  }
}
