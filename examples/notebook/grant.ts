import { Accounts } from './accounts.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { DATA } from './settings.ts'

const [, , email = '', permission = ''] = process.argv
const problem = await grant(email.toLowerCase())
console.log(problem ?? `Granted ${permission} to ${email}`)
process.exitCode = problem === undefined ? 0 : 1

/** Grants the permission, or returns why not. */
async function grant(address: string): Promise<string | undefined> {
  if (permission === '') return 'Usage: npm run grant -- you@example.com accounts.read'
  const database = openDatabase(`${DATA}/notebook.db`)
  const app = await createApp(database).boot()
  const isGranted = app.get(Accounts).grant(address, permission)
  await app.close()
  database.close()
  return isGranted ? undefined : `Nothing granted: ${address} has no account, or has the permission already`
}
