import { generate } from 'otplib/functional'
import { StartupError } from 'sallyport-app/settings'
import { demoAccountOf } from '../boot/demo-account.ts'
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
