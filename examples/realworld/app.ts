import { App } from 'sallyport'
import { api } from './api/module.ts'
import { Database } from './domain/database.ts'

export function createApp({ database = new Database() } = {}): App {
  return App.default()
    .modules(api)
    .configure((definitions) => definitions.set(Database, database))
    .onClose(() => database.close())
}

export { createApp as app }
