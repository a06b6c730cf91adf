import { mkdirSync } from 'node:fs'
import { serve } from 'sallyport/node'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { createApp } from './app.ts'
import { Database } from './domain/database.ts'

const directory = process.env.DATA_DIRECTORY ?? '.data'
mkdirSync(directory, { recursive: true })

const sessions = new SqliteSessionStore({ path: `${directory}/sessions.db` })
const app = createApp(new Database(`${directory}/conduit.db`), sessions).onClose(() => sessions.close())
const server = await serve(app, { port: Number(process.env.PORT ?? 3000) })
console.log(`Listening on ${server.url}`)
