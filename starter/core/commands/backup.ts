import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { operatorName } from '../audit/operator.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { dataPaths } from '../boot/data-directory.ts'
import { reasonOf, StartupError } from '../boot/startup-error.ts'
import { type Command, RefusedError } from './command.ts'

/** Copies the databases while the application runs. */
export const backup: Command = {
  usage: 'backup FOLDER',
  summary: 'copies the databases of SQLite into a new folder, while the application runs',
  words: [1, 1],
  async run({ app, environment, operator, words: [folder = ''] }) {
    if (environment.databaseUrl !== undefined)
      throw new RefusedError('DATABASE_URL names a database of PostgreSQL: copy that with pg_dump')
    if (existsSync(folder)) throw new RefusedError(`${folder} is there already: name a new folder`)
    // Recorded first, so that the copy says where it comes from.
    await app.get(AuditTrail).record({
      kind: AuditEvent.BackupMade,
      accountId: null,
      clientAddress: '',
      device: '',
      actor: operatorName(operator),
    })
    // Sessions of a REDIS_URL are not copied: people sign in again.
    const { accounts, sessions } = dataPaths(environment.dataDirectory)
    const sources = environment.redisUrl === undefined ? { accounts, sessions } : { accounts }
    const copies: string[] = []
    try {
      mkdirSync(folder, { mode: 0o700 })
      for (const [name, source] of Object.entries(sources)) {
        const copy = join(folder, `${name}.sqlite`)
        await copyTo(copy, source)
        copies.push(copy)
      }
    } catch (cause) {
      throw new StartupError(`the copy cannot be written to ${folder} (${reasonOf(cause)})`, { cause })
    }
    const text = [
      ...copies.map((copy) => `${copy} written.`),
      'Keep FACTOR_KEY elsewhere: without it, no copy opens a second factor.',
    ].join('\n')
    return { text, facts: { copies } }
  },
}

// The online backup of SQLite: the copy is the database of one moment, whatever is written meanwhile.
async function copyTo(copy: string, source: string): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true })
  try {
    await copyDatabase(database, copy)
    chmodSync(copy, 0o600)
  } finally {
    database.close()
  }
}
