import { byName, type Places } from '../boot/index.ts'
import type { SealedColumn } from '../keys/index.ts'
import type { ServerSettings } from '../settings/index.ts'
import { type Command, IncompleteError, sentence } from './command.ts'
import type { OperatorContext } from './operator-context.ts'

/** What the check of an installation works with. */
export interface CheckContext extends OperatorContext {
  /** Its settings. */
  readonly environment: ServerSettings
  /** Where its data is. */
  readonly places: Places
}

/** What only the application knows of its installation. */
export interface CheckOptions<Context extends CheckContext> {
  /** Class of the column with the secrets of factors. */
  readonly secrets: new () => SealedColumn
  /**
   * Says what it means that no mails are sent.
   *
   * @param settings Its settings.
   * @returns The end of a line: `none, so …`.
   */
  withoutMails(settings: ServerSettings): string
  /**
   * Says what is switched on.
   *
   * @param context What the check works with.
   * @returns The end of a line, in parts.
   */
  switches(context: Context): readonly string[]
  /**
   * Looks for what an operator should mend.
   *
   * @param context What the check works with.
   * @returns Sentences without a full stop.
   */
  findings(context: Context): Promise<readonly string[]>
}

/**
 * Makes the command that checks the configuration. What prevents a start is reported as by the start itself.
 *
 * @param options What only the application knows.
 * @returns The command. It fails where no key opens a secret.
 */
export function check<Context extends CheckContext>(options: CheckOptions<Context>): Command<Context> {
  return {
    usage: 'check',
    summary: 'checks the configuration, the databases and the key',
    words: [0, 0],
    async run(context) {
      const secrets = context.app.get(options.secrets)
      const grave = await secrets.warning()
      const { earlier } = await secrets.status()
      const warnings = [
        ...(grave === undefined ? [] : [grave]),
        ...(earlier > 0
          ? [`${earlier} secrets are sealed with an earlier key: run "npm start -- rotate-key"`]
          : []),
        ...(await options.findings(context)),
        ...context.environment.warnings,
      ]
      const lines = [
        ...(await factsOf(context, options)),
        ...warnings.map((warning) => sentence(`Warning: ${warning}`)),
        warnings.length === 0 ? 'Nothing to mend.' : `${warnings.length} to look at.`,
      ]
      const text = lines.join('\n')
      if (grave !== undefined) throw new IncompleteError(text)
      return { text, facts: { warnings } }
    },
  }
}

async function factsOf<Context extends CheckContext>(
  context: Context,
  options: CheckOptions<Context>,
): Promise<readonly string[]> {
  const { environment, places } = context
  const { origin, basePath, host, port, trustedProxies, mail } = environment
  return [
    `Mode: ${environment.isProduction ? 'production' : 'development'}`,
    `Origin: ${origin ?? (await byName({ host, port }))}`,
    `Base path: ${basePath || 'none'}`,
    `Listens on: ${host}:${port}`,
    `Trusted proxies: ${trustedProxies.length === 0 ? 'none' : trustedProxies.join(', ')}`,
    `Mails: ${mail === undefined ? options.withoutMails(environment) : `from ${mail.from.address}`}`,
    `Switched on: ${options.switches(context).join(', ') || 'nothing'}`,
    `Databases: ${[...new Set([places.accounts.name, places.sessions.name])].join(', ')}`,
  ]
}
