/** The services of the package in an application that has nothing else. @module */
import type { TestContext } from 'node:test'
import { App, Clock, Secret } from 'sallyport'
import { FrozenClock } from 'sallyport/testing'
import { Database, type NamedMigration, openDatabase } from 'sallyport-app/database'
import { KeyRing } from 'sallyport-app/keys'
import { type EventTables, eventTables } from 'sallyport-app/audit'
import { type AttemptTables, attemptTables } from 'sallyport-app/limits'
import { Mailer, type MailTables, mailTables, NoMailer } from 'sallyport-app/mail'

/** The tables that the package asks for. */
export interface Tables extends AttemptTables, EventTables, MailTables {}

/** What makes them. */
export const MIGRATIONS: readonly NamedMigration[] = [
  { name: 'all', statements: [...attemptTables, ...eventTables, ...mailTables] },
]
const KEY = new Secret('3c'.repeat(32))

/** A mailer whose mails go nowhere. */
export class Postman extends Mailer {
  override async send(): Promise<void> {}
}

/** Such an application, and what it is made of. */
export interface Services {
  readonly app: App
  readonly database: Database<Tables>
  readonly clock: FrozenClock
}

/** @returns Such an application, with a database in memory, in a file, as another process opens it, or at a server. */
export async function services(
  test: TestContext,
  {
    path = ':memory:',
    open = () => openDatabase<Tables>(path, { migrations: MIGRATIONS, durable: false }),
    clock = new FrozenClock('2026-01-01T00:00:00Z'),
    mailer = new NoMailer(),
    prepare = (app) => app,
  }: {
    readonly path?: string
    readonly open?: () => Promise<Database<Tables>>
    readonly clock?: FrozenClock
    readonly mailer?: Mailer
    readonly prepare?: (app: App) => App
  } = {},
): Promise<Services> {
  const database = await open()
  test.after(() => database.destroy())
  const app = App.create().configure((definitions) => {
    definitions
      .set(Database<Tables>, database)
      .set(Clock, clock)
      .set(KeyRing, new KeyRing([KEY]))
      .set(Mailer, mailer)
  })
  return { app: await prepare(app).boot(), database, clock }
}
