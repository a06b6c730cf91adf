import { generate } from 'otplib/functional'
import { StartupError } from 'sallyport-app/settings'
import { MailQueue } from 'sallyport-app/mail'
import { IncompleteError, optionOf, UsageError } from 'sallyport-app/commands'
import { demoAccountOf } from '../boot/demo-account.ts'
import { FactorKeys } from '../factors/factor-keys.ts'
import { AuditTrail } from '../audit/audit-trail.ts'
import { DEFAULT_PAST_SECONDS, TOTP_PERIOD_SECONDS } from '../factors/totp-code.ts'
import type { Command } from './command.ts'

/** Prints the code of the demo account. */
export const code: Command = {
  usage: 'code',
  summary: 'prints the current code of the demo account, on a development machine only',
  words: [0, 0],
  async run(context) {
    const { environment, clock } = context
    const demo = await demoAccountOf(context, environment, clock)
    if (demo === undefined)
      throw new StartupError(
        'there is no demo account: it is on a development machine only, and DEMO=0 takes it away',
      )
    const epoch = clock.timestamp()
    const digits = await generate({ secret: demo.secret.reveal(), epoch, period: TOTP_PERIOD_SECONDS })
    // A code is accepted for some time after its step.
    const seconds = TOTP_PERIOD_SECONDS - (epoch % TOTP_PERIOD_SECONDS) + DEFAULT_PAST_SECONDS
    return `${digits}  (for ${seconds} more seconds, once)`
  },
}

/** Deletes old entries of the audit trail. The operator decides how long the trail is kept. */
export const trim: Command = {
  usage: 'trim DAYS',
  summary: 'deletes entries of the audit trail that are older, such as "trim 400"',
  words: [1, 1],
  async run({ app, words }) {
    const days = Number(words[0])
    try {
      const count = await app.get(AuditTrail).trim(days)
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

/** Seals the secrets of factors with the first key. */
export const rotateKey: Command = {
  usage: 'rotate-key --reason TEXT',
  summary: 'seals every secret of a factor with the first key of FACTOR_KEY, while the application runs',
  words: [0, 0],
  options: { reason: { type: 'string' } },
  async run(context) {
    const { environment, app } = context
    const { resealed, current, unreadable } = await app
      .get(FactorKeys)
      .rotate(context.operator, optionOf(context, 'reason'))
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
