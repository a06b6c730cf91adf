import { DatabaseSync } from 'node:sqlite'
import { inject } from 'sallyport'
import type { Account } from './accounts.ts'

export type Note = { id: number; title: string; text: string }
export type NoteFields = { title: string; text: string }

export class Notes {
  readonly #database = inject(DatabaseSync)

  list(owner: Account): Note[] {
    const query = 'SELECT id, title, text FROM note WHERE account_id = ? ORDER BY id DESC'
    return this.#database.prepare(query).all(owner.id) as Note[]
  }

  find(owner: Account, id: number): Note | undefined {
    const query = 'SELECT id, title, text FROM note WHERE account_id = ? AND id = ?'
    return this.#database.prepare(query).get(owner.id, id) as Note | undefined
  }

  add(owner: Account, { title, text }: NoteFields): void {
    const query = 'INSERT INTO note (account_id, title, text) VALUES (?, ?, ?)'
    this.#database.prepare(query).run(owner.id, title, text)
  }

  update(owner: Account, id: number, { title, text }: NoteFields): void {
    const query = 'UPDATE note SET title = ?, text = ? WHERE account_id = ? AND id = ?'
    this.#database.prepare(query).run(title, text, owner.id, id)
  }

  delete(owner: Account, id: number): void {
    this.#database.prepare('DELETE FROM note WHERE account_id = ? AND id = ?').run(owner.id, id)
  }
}
