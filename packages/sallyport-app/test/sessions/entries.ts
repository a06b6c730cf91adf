/** A session without a store: enough to see what is written and read. @module */
import type { Session } from 'sallyport/session'

/** What is in it, and how often its identifier was renewed. */
export class Entries implements Session {
  readonly entries: Map<string, unknown> = new Map()
  renewals: number = 0

  async get<T = unknown>(key: string): Promise<T | undefined> {
    return this.entries.get(key) as T | undefined
  }
  async has(key: string): Promise<boolean> {
    return this.entries.has(key)
  }
  async set(key: string, value: unknown): Promise<void> {
    this.entries.set(key, value)
  }
  async remove(key: string): Promise<void> {
    this.entries.delete(key)
  }
  async regenerateId(): Promise<void> {
    this.renewals += 1
  }
  async destroy(): Promise<void> {
    this.entries.clear()
  }
}
