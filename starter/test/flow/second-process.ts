import type { App } from 'sallyport'
import { databases } from '../databases.ts'
import { type Scope, services, type World } from '../support.ts'

/** The application once more, with a connection of its own to the databases of a world, as another process has it. */
export async function secondProcess(scope: Scope, world: World): Promise<App> {
  const database = await databases.accounts(world.directory)
  scope.after(() => database.destroy())
  const { store, clock, hasher, mailbox: mailer } = world
  const settings = { origin: () => 'https://app.test' }
  return services({ database, store, clock, hasher, mailer, settings })
}
