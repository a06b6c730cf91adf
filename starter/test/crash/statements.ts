/** Every statement that this process sends to SQLite, by whichever library. @module */
import assert from 'node:assert/strict'
import { DatabaseSync, StatementSync } from 'node:sqlite'

let listener: (() => void) | undefined

listenTo(DatabaseSync.prototype, 'exec')
for (const name of ['run', 'get', 'all', 'iterate']) listenTo(StatementSync.prototype, name)

export function beforeStatements(before: (() => void) | undefined): void {
  listener = before
}

function listenTo(prototype: object, name: string): void {
  const method: unknown = Reflect.get(prototype, name)
  assert.ok(typeof method === 'function', `node:sqlite has ${name}()`)
  Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]): unknown {
    listener?.()
    const result: unknown = Reflect.apply(method, this, values)
    return result
  })
}
