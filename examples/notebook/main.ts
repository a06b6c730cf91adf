import { serve } from 'sallyport/node'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { Accounts } from './accounts.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { FactorVault, readFactorKey } from './factor-vault.ts'
import { DATA, HOST, ORIGIN, PORT, PROXIES } from './settings.ts'

const database = openDatabase(`${DATA}/notebook.db`)
const store = new SqliteSessionStore({ path: `${DATA}/sessions.db` })
const vault = new FactorVault(readFactorKey(`${DATA}/factor.key`))
const app = createApp(database, store, vault)
  .onClose(() => database.close())
  .onClose(() => store.close())
  .onError((error, context) => console.error(context.id(), context.method(), context.path(), error))

const server = await serve(app, {
  host: HOST,
  port: Number(PORT),
  ...(ORIGIN === undefined ? {} : { origin: ORIGIN }),
  ...(PROXIES === undefined ? {} : { trustedProxies: { addresses: PROXIES.split(',') } }),
})
console.log(`Listening on ${server.url}`)
if (app.get(Accounts).list().length === 0)
  console.log('There is no account yet. Add yours: npm run add-account -- you@example.com')
