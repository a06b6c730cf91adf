import { fileURLToPath } from 'node:url'
import {
  readServerSettings,
  readSwitch,
  readVariable,
  type ServerSettings,
  StartupError,
  type Variable,
  type Variables,
} from 'sallyport-app/settings'
import { BRAND } from '../brand.ts'
import { type Language, LANGUAGES } from '../messages/language.ts'
import type { PartSettings, ReadSettings } from '../part-settings.ts'

/** Settings from the environment: those of every server, those of this application, and those of its parts. */
export interface Environment extends ServerSettings {
  /** `DEFAULT_LANGUAGE`: language of the mails to accounts that operators add. Default: `en`. */
  readonly language: Language
  /** `DEMO`: whether there is a demo account; never in production. Default: outside production. */
  readonly hasDemoAccount: boolean
  /** What parts read of their variables. */
  readonly ofParts: readonly PartSettings[]
}

const LANGUAGE: Variable<Language> = {
  must: `one of ${LANGUAGES.join(', ')}`,
  parse: (text) => LANGUAGES.find((each) => each === text),
}
const DATA_DIRECTORY = fileURLToPath(new URL('../../.data', import.meta.url))

/**
 * Reads the settings of the application.
 *
 * @param parts Parts that read variables, too. Default: none.
 * @throws {StartupError} If a variable is malformed, or production lacks what it needs.
 */
export function readEnvironment(
  variables: Variables,
  parts: readonly { readonly environment?: ReadSettings }[] = [],
): Environment {
  const server = readServerSettings(variables, { dataDirectory: DATA_DIRECTORY, sender: BRAND.sender })
  const { isProduction } = server
  const hasDemoAccount = readSwitch('DEMO', variables['DEMO'], !isProduction)
  if (isProduction && hasDemoAccount)
    throw new StartupError('DEMO must not be 1 in production: the password of the demo account is public')
  return {
    ...server,
    language: readVariable('DEFAULT_LANGUAGE', variables['DEFAULT_LANGUAGE'], LANGUAGE) ?? LANGUAGES[0],
    hasDemoAccount,
    ofParts: parts.flatMap(({ environment }) => environment?.(variables, isProduction) ?? []),
  }
}
