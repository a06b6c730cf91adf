import { AuditTrail } from '../audit/index.ts'
import { UsageError } from './command.ts'
import type { OperatorCommand } from './operator-context.ts'

/** Deletes old entries of the audit trail. The operator decides how long the trail is kept. */
export const trim: OperatorCommand = {
  usage: 'trim DAYS',
  summary: 'deletes entries of the audit trail that are older, such as "trim 400"',
  words: [1, 1],
  async run({ app, words }) {
    const days = Number(words[0])
    try {
      const count = await app.get(AuditTrail<string>).trim(days)
      return {
        text: `${count} ${count === 1 ? 'entry' : 'entries'} over ${days} days deleted.`,
        facts: { count },
      }
    } catch (cause) {
      if (cause instanceof RangeError) throw new UsageError(`${cause.message}: "npm start -- trim 400"`)
      throw cause
    }
  },
}
