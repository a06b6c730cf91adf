import { readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

type Values = Record<string, SQLInputValue>

/** SQLite. The caller of a query names the type of its rows. */
export class Database extends DatabaseSync {
  constructor(path = ':memory:') {
    super(path)
    this.exec(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'))
  }

  all<Row>(sql: string, values: Values = {}): Row[] {
    return this.prepare(sql).all(values) as Row[]
  }

  get<Row>(sql: string, values: Values = {}): Row | undefined {
    return this.prepare(sql).get(values) as Row | undefined
  }

  run(sql: string, values: Values = {}): void {
    this.prepare(sql).run(values)
  }
}
