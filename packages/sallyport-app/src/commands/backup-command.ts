import { AuditTrail, byOperator } from '../audit/index.ts'
import { assertCopyable, copyDatabases } from './backup.ts'
import type { OperatorCommand } from './operator-context.ts'

/** Copies the databases while the application runs. It is recorded as `backup-made`. */
export const backup: OperatorCommand = {
  usage: 'backup FOLDER',
  summary: 'copies the databases of SQLite into a new folder, while the application runs',
  words: [1, 1],
  async run({ app, environment, operator, words: [folder = ''] }) {
    assertCopyable(environment, folder)
    // Recorded first, so that the copy says where it comes from.
    await app.get(AuditTrail<string>).record({ kind: 'backup-made', ...byOperator(operator) })
    const copies = await copyDatabases(environment, folder)
    const text = [
      ...copies.map((copy) => `${copy} written.`),
      'Keep FACTOR_KEY elsewhere: without it, no copy opens a second factor.',
    ].join('\n')
    return { text, facts: { copies } }
  },
}
