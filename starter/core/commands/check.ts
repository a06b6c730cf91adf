import { byName } from 'sallyport-app/boot'
import { IncompleteError, sentence } from 'sallyport-app/commands'
import type { Environment } from '../boot/environment.ts'
import { FactorKeys } from '../factors/factor-keys.ts'
import { Parts } from '../part.ts'
import type { Command, CommandContext } from './command.ts'

/** Checks the configuration. What prevents a start is reported as by the start itself. */
export const check: Command = {
  usage: 'check',
  summary: 'checks the configuration, the databases and the key',
  words: [0, 0],
  async run(context) {
    const { app, environment, places } = context
    const { origin, basePath, host, port, trustedProxies } = environment
    const facts = [
      `Mode: ${environment.isProduction ? 'production' : 'development'}`,
      `Origin: ${origin ?? (await byName({ host, port }))}`,
      `Base path: ${basePath || 'none'}`,
      `Listens on: ${host}:${port}`,
      `Trusted proxies: ${trustedProxies.length === 0 ? 'none' : trustedProxies.join(', ')}`,
      `Mails: ${mailsOf(environment)}`,
      `Switched on: ${switches(environment).join(', ') || 'nothing'}`,
      `Databases: ${[...new Set([places.accounts.name, places.sessions.name])].join(', ')}`,
    ]
    const grave = await app.get(FactorKeys).warning()
    const warnings = [...(grave === undefined ? [] : [grave]), ...(await findings(context))]
    const end = warnings.length === 0 ? 'Nothing to mend.' : `${warnings.length} to look at.`
    const text = [...facts, ...warnings.map((warning) => sentence(`Warning: ${warning}`)), end].join('\n')
    if (grave !== undefined) throw new IncompleteError(text)
    return { text, facts: { warnings } }
  },
}

function mailsOf({ mail, isProduction }: Environment): string {
  if (mail !== undefined) return `from ${mail.from.address}`
  return isProduction
    ? 'none, so nobody can sign up or get a new password'
    : 'none are sent; /dev/mail shows them'
}

function switches(environment: Environment): readonly string[] {
  const { hasDemoAccount, ofParts } = environment
  return [
    ...ofParts.map(({ switchedOn }) => switchedOn),
    ...(hasDemoAccount ? ['the demo account (DEMO)'] : []),
  ]
}

async function findings({ environment, app }: CommandContext): Promise<readonly string[]> {
  const { earlier } = await app.get(FactorKeys).status()
  return [
    ...(earlier > 0
      ? [`${earlier} secrets are sealed with an earlier key: run "npm start -- rotate-key"`]
      : []),
    ...(await app.get(Parts).findings(app)),
    ...environment.warnings,
  ]
}
