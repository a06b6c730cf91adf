import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Accounts } from './accounts.ts'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { DATA } from './settings.ts'

const [, , email = ''] = process.argv
const problem = await add(email.toLowerCase())
console.log(problem ?? `Added ${email}. Sign in with it.`)
process.exitCode = problem === undefined ? 0 : 1

/** Adds the account, or returns why not. */
async function add(address: string): Promise<string | undefined> {
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) return 'Usage: npm run add-account -- you@example.com'
  const password = await ask('Password (12 characters or more): ')
  if (password.length < 12) return 'Nothing added: the password has fewer than 12 characters'
  const database = openDatabase(`${DATA}/notebook.db`)
  const app = await createApp(database).boot()
  const isNew = await app.get(Accounts).add(address, password)
  await app.close()
  database.close()
  return isNew ? undefined : `Nothing added: ${address} has an account already`
}

/** Asks in the terminal, which does not show what is typed. */
async function ask(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  process.stdout.write(question)
  const answer = await terminal.question('')
  terminal.close()
  process.stdout.write('\n')
  return answer
}
