import { mkdirSync } from 'node:fs'
import { serve } from 'sallyport/node'
import { createApp } from './app.ts'
import { Database } from './domain/database.ts'

const directory = process.env.DATA_DIRECTORY ?? '.data'
mkdirSync(directory, { recursive: true })

const app = createApp({ database: new Database(`${directory}/conduit.db`) })
const server = await serve(app, { port: Number(process.env.PORT ?? 3000) })
console.log(`Listening on ${server.url}`)
