/** Every statement that this process sends to SQLite or PostgreSQL, by whichever library. @module */
import assert from 'node:assert/strict'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Client } from 'pg'

/** A statement, and the values of its placeholders. */
export interface Statement {
  /** Its text, with placeholders. */
  readonly text: string
  /** Their values. */
  readonly values: readonly unknown[]
}

/** Is told of a statement. */
export type StatementListener = (statement: Statement) => void

let listener: StatementListener | undefined

listenTo(DatabaseSync.prototype, 'exec')
for (const name of ['run', 'get', 'all', 'iterate']) listenTo(StatementSync.prototype, name)
listenTo(Client.prototype, 'query')

/**
 * Has every statement told before it is sent.
 *
 * @param before Is told; undefined ends that.
 */
export function beforeStatements(before: StatementListener | undefined): void {
  listener = before
}

function listenTo(prototype: object, name: string): void {
  const method: unknown = Reflect.get(prototype, name)
  assert.ok(typeof method === 'function', `there is a ${name}()`)
  Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]): unknown {
    listener?.(statementOf(this, values))
    const result: unknown = Reflect.apply(method, this, values)
    return result
  })
}

// A statement of SQLite is prepared before; `pg` takes a text and its values, or an object with both.
function statementOf(object: unknown, values: readonly unknown[]): Statement {
  if (object instanceof StatementSync) return { text: object.sourceSQL, values }
  const [first, second] = values
  if (typeof first === 'string') return { text: first, values: Array.isArray(second) ? second : [] }
  const { text, values: ofText = [] } = first as {
    readonly text: string
    readonly values?: readonly unknown[]
  }
  return { text, values: ofText }
}
