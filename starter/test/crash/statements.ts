/** Every statement that this process sends to SQLite or PostgreSQL, by whichever library. @module */
import assert from 'node:assert/strict'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Client } from 'pg'

let listener: (() => void) | undefined

listenTo(DatabaseSync.prototype, 'exec')
for (const name of ['run', 'get', 'all', 'iterate']) listenTo(StatementSync.prototype, name)
listenTo(Client.prototype, 'query')

export function beforeStatements(before: (() => void) | undefined): void {
  listener = before
}

function listenTo(prototype: object, name: string): void {
  const method: unknown = Reflect.get(prototype, name)
  assert.ok(typeof method === 'function', `there is a ${name}()`)
  Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]): unknown {
    listener?.()
    const result: unknown = Reflect.apply(method, this, values)
    return result
  })
}
