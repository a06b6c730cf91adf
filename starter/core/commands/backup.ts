import { assertCopyable, copyDatabases } from 'sallyport-app/commands'
import { operatorName } from '../audit/operator.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Command } from './command.ts'

/** Copies the databases while the application runs. */
export const backup: Command = {
  usage: 'backup FOLDER',
  summary: 'copies the databases of SQLite into a new folder, while the application runs',
  words: [1, 1],
  async run({ app, environment, operator, words: [folder = ''] }) {
    assertCopyable(environment, folder)
    // Recorded first, so that the copy says where it comes from.
    await app.get(AuditTrail).record({
      kind: AuditEvent.BackupMade,
      accountId: null,
      clientAddress: '',
      device: '',
      actor: operatorName(operator),
    })
    const copies = await copyDatabases(environment, folder)
    const text = [
      ...copies.map((copy) => `${copy} written.`),
      'Keep FACTOR_KEY elsewhere: without it, no copy opens a second factor.',
    ].join('\n')
    return { text, facts: { copies } }
  },
}
