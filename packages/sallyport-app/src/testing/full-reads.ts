/** What statements read from one end to the other. @module */
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { copyRows } from './copied-rows.ts'
import type { Statement } from './statements.ts'

/** Databases of a test: files of SQLite, the first of which has the tables of the application, or the address of one of PostgreSQL. */
export type Planned = { readonly files: readonly [string, ...string[]] } | { readonly url: string }

const COPIES = 2000
// Others begin and end transactions.
const PLANNED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i

/** A table whose rows are read one after the other. */
interface Walk {
  readonly table: string
  /** Index that leads along them; undefined where there is none. */
  readonly index: string | undefined
  /** Whether a limit ends it. */
  readonly isLimited: boolean
}

interface Planner {
  /** Indexes of some rows of a table. */
  readonly partial: ReadonlySet<string>
  walksOf(statement: Statement): Promise<readonly Walk[]>
  close(): void | Promise<void>
}

/**
 * Asks databases how they run statements. PostgreSQL decides it by what the tables hold, so they are filled before as many
 * accounts do. SQLite regards the indexes alone.
 *
 * @param planned The databases; the rows of those of PostgreSQL are copied many times.
 * @param statements What is asked for.
 * @returns The tables that are read in full, each with the statement that does it. A walk along an index counts unless it ends at a
 *   limit, or the index leads to some of the rows.
 */
export async function fullReads(
  planned: Planned,
  statements: Iterable<Statement>,
): Promise<readonly (readonly [table: string, statement: string])[]> {
  const planner = 'url' in planned ? await inPostgres(planned.url) : inSqlite(planned.files)
  try {
    const found: (readonly [string, string])[] = []
    for (const statement of statements) {
      if (!PLANNED.test(statement.text)) continue
      for (const { table, index, isLimited } of await planner.walksOf(statement))
        if (index === undefined || !(isLimited || planner.partial.has(index)))
          found.push([table, statement.text])
    }
    return found
  } finally {
    await planner.close()
  }
}

function inSqlite([first, ...others]: readonly [string, ...string[]]): Planner {
  const connection = new DatabaseSync(first)
  for (const [index, file] of others.entries()) connection.exec(`ATTACH '${file}' AS other${index}`)
  const textsOf = (query: string, column: string): readonly string[] =>
    connection
      .prepare(query)
      .all()
      .map((row) => String(row[column]))
  return {
    partial: new Set(
      textsOf("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%) WHERE %'", 'name'),
    ),
    async walksOf({ text }) {
      const steps = textsOf(`EXPLAIN QUERY PLAN ${text}`, 'detail')
      const isLimited = /\bLIMIT\b/i.test(text)
      const results = steps.map((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)$/.exec(step)?.[1])
      return steps.flatMap((step) => {
        // Rows of values are no table.
        const [, table, index] =
          /^SCAN (?!CONSTANT|\d)(\S+)(?: USING (?:COVERING )?INDEX (\S+))?/.exec(step) ?? []
        return table === undefined || results.includes(table) ? [] : [{ table, index, isLimited }]
      })
    },
    close: () => connection.close(),
  }
}

async function inPostgres(url: string): Promise<Planner> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const filled = await copyRows(client, COPIES)
    const { rows: partial } = await client.query<{ name: string }>(
      'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL',
    )
    return {
      partial: new Set(partial.map(({ name }) => name)),
      async walksOf({ text, values }) {
        const { rows } = await client.query<Explained>(`EXPLAIN (FORMAT JSON) ${text}`, [...values])
        const walks = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => walksIn(plan)))
        // How it would read a table without rows says nothing.
        return walks.filter(({ table }) => filled.has(table))
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: Plan }[]
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

// What sorts, counts or compares rows reads all of them, whatever the limit behind it.
function walksIn(plan: Plan, isLimited = false): readonly Walk[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = plan
  const isWalk = /^(?:Seq|Index|Index Only) Scan$/.test(type) && condition === undefined
  const isBelow = type === 'Limit' || (isLimited && !/^(?:Sort|Aggregate|Hash)$/.test(type))
  const below = (plan.Plans ?? []).flatMap((each) => walksIn(each, isBelow))
  return table !== undefined && isWalk ? [{ table, index, isLimited }, ...below] : below
}
