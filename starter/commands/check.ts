import { byName, localUrl } from '../local-address.ts'
import { warningsAbout } from '../opened.ts'
import type { Command, CommandContext } from './command.ts'

/** Checks the configuration. What prevents a start is reported as by the start itself. */
export const check: Command = {
  usage: 'check',
  summary: 'checks the configuration, the databases and the key, and changes nothing',
  words: [0, 0],
  async run(context) {
    const { environment, paths } = context
    const { origin, host, port, trustedProxies, mail } = environment
    const facts = [
      `Mode: ${environment.isProduction ? 'production' : 'development'}`,
      `Origin: ${origin ?? (await byName(localUrl({ host, port })))}`,
      `Listens on: ${host}:${port}`,
      `Trusted proxies: ${trustedProxies.length === 0 ? 'none' : trustedProxies.join(', ')}`,
      `Mails: ${mail === undefined ? 'none' : `from ${mail.from}`}`,
      `Databases: ${paths.accounts}, ${paths.sessions}`,
    ]
    const warnings = await findings(context)
    const end = warnings.length === 0 ? 'Nothing to mend.' : `${warnings.length} to look at.`
    return [...facts, ...warnings.map((warning) => `Warning: ${warning}`), end].join('\n')
  },
}

async function findings({ environment, identity }: CommandContext): Promise<readonly string[]> {
  const { administration } = identity
  const { earlier, unreadable } = await administration.keys.status()
  const administrators = await administration.administrators()
  return [
    ...(unreadable > 0
      ? [`${unreadable} secrets cannot be opened: append the key that sealed them to FACTOR_KEY`]
      : []),
    ...(earlier > 0
      ? [`${earlier} secrets are sealed with an earlier key: run "npm start -- rotate-key"`]
      : []),
    ...(administrators === 0
      ? ['there is no administrator: run "npm start -- add EMAIL --name NAME --administrator --reason TEXT"']
      : []),
    ...warningsAbout(environment),
  ]
}
