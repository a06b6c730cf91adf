import { AuditTrail, byOperator, reasonOf } from '../audit/index.ts'
import { KeyRing, type SealedColumn } from '../keys/index.ts'
import { MailQueue } from '../mail/index.ts'
import { IncompleteError, optionOf } from './command.ts'
import type { OperatorCommand } from './operator-context.ts'

/**
 * Makes the command that seals everything with the first key. It is recorded as `factor-key-rotated`, with the key.
 *
 * @param secrets Class of the column with the secrets of factors.
 * @returns The command. It seals waiting mails anew, too.
 */
export function rotateKey(secrets: new () => SealedColumn): OperatorCommand {
  return {
    usage: 'rotate-key --reason TEXT',
    summary: 'seals every secret of a factor with the first key of FACTOR_KEY, while the application runs',
    words: [0, 0],
    options: { reason: { type: 'string' } },
    async run(context) {
      const { environment, app, operator } = context
      const reason = reasonOf(optionOf(context, 'reason'))
      const entry = { kind: 'factor-key-rotated', ...byOperator(operator), reason }
      // Recorded first: whoever interrupts it has begun it.
      await app.get(AuditTrail<string>).record({ ...entry, detail: app.get(KeyRing).currentKey })
      const resealed = await app.get(secrets).reseal()
      const { current, unreadable } = await app.get(secrets).status()
      const mails = await app.get(MailQueue).reseal()
      const lines = [`${resealed} secrets sealed anew, ${current} are sealed with the first key.`]
      if (mails > 0) lines.push(`${mails} waiting emails sealed anew.`)
      if (unreadable > 0)
        throw new IncompleteError(
          [
            ...lines,
            `${unreadable} cannot be opened by any key of FACTOR_KEY: keep looking for the right one.`,
          ].join('\n'),
        )
      if (environment.keys.length > 1)
        lines.push(
          'No secret needs the other keys. Take them out of FACTOR_KEY once every process has the new one.',
        )
      return { text: lines.join('\n'), facts: { resealed, current, unreadable } }
    },
  }
}
