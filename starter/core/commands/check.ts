import { check as checkOf } from 'sallyport-app/commands'
import { FactorVault } from '../factors/factor-vault.ts'
import { Parts } from '../part.ts'
import type { Command, CommandContext } from './command.ts'

/** Checks the configuration. What prevents a start is reported as by the start itself. */
export const check: Command = checkOf<CommandContext>({
  secrets: FactorVault,
  withoutMails: ({ isProduction }) =>
    isProduction
      ? 'none, so nobody can sign up or get a new password'
      : 'none are sent; /dev/mail shows them',
  switches: ({ environment: { ofParts, hasDemoAccount } }) => [
    ...ofParts.map(({ switchedOn }) => switchedOn),
    ...(hasDemoAccount ? ['the demo account (DEMO)'] : []),
  ],
  findings: ({ app }) => app.get(Parts).findings(app),
})
