import { createApplication } from '../../application.ts'
import { openDatabase } from '../../database/open.ts'
import { KEY, type Scope, type World } from '../support.ts'

/** An application and its services. */
type Application = ReturnType<typeof createApplication>

/** The application once more, with a connection of its own to the databases of a world, as another process has it. */
export async function secondProcess(scope: Scope, world: World): Promise<Application> {
  const database = await openDatabase(world.accountsPath, { durable: false })
  scope.after(() => database.destroy())
  const { store, clock, hasher, mailbox: mailer } = world
  return createApplication({
    database,
    store,
    keys: [KEY],
    clock,
    hasher,
    mailer,
    origin: () => 'https://app.test',
  })
}
