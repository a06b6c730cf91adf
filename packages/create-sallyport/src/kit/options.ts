/**
 * The words of `sallyport-kit`.
 *
 * @module
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What it can be asked for. */
export type CommandName = 'list' | 'add' | 'remove' | 'diff' | 'upgrade'

/** What somebody asked for. */
export interface Asked {
  readonly command: CommandName
  /** The words behind the command. */
  readonly names: readonly string[]
  /** Folder of the project. */
  readonly folder: string
  readonly isJson: boolean
  /** Whether to go on where a change cannot be taken back, or an edited part is removed. */
  readonly isForced: boolean
  /** Whether nothing is written. */
  readonly isDry: boolean
  readonly installs: boolean
  readonly tests: boolean
  /** Id of the only security change to apply. */
  readonly only: string | undefined
  /** Version of the framework, or path of a packed one or of a checkout. Default: the version of the kit. */
  readonly framework: string | undefined
}

/** How it is called. */
export const USAGE = `Usage: sallyport-kit COMMAND [options]

  list            the parts of this project, and those that can be added
  add PART…       adds parts, with those that they need
  remove PART…    removes parts; their tables stay
  diff [PATH]     what was edited since the kit wrote it
  upgrade         takes over this version of the kit, and keeps your edits

  --project FOLDER   the project; default: the current folder
  --dry-run          add, remove, upgrade: writes nothing, and says what would happen
  --force            goes on with changes that are not committed, and removes parts that were edited
  --no-install       runs no npm: neither "npm install" nor the checks after it
  --test             upgrade: runs "npm test" at the end, too
  --only SEC-ID      upgrade: applies this security change alone
  --framework SPEC   upgrade: version of the framework, a packed file, which is copied, or a checkout, which is packed
  --json             prints JSON

Exit codes: 0 done, 1 something is left for you to do, 2 refused: nothing was changed
`

const COMMANDS: Readonly<Record<CommandName, { readonly least: number; readonly most: number }>> = {
  list: { least: 0, most: 0 },
  add: { least: 1, most: Infinity },
  remove: { least: 1, most: Infinity },
  diff: { least: 0, most: 1 },
  upgrade: { least: 0, most: 0 },
}

/**
 * @param line Words after the name of the program.
 * @returns What was asked for; null for help.
 * @throws {TypeError} If the words are none of these.
 */
export function readOptions(line: readonly string[]): Asked | null {
  const { values, positionals } = parseArgs({
    args: [...line],
    allowPositionals: true,
    allowNegative: true,
    options: {
      project: { type: 'string', default: '.' },
      'dry-run': { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      install: { type: 'boolean', default: true },
      test: { type: 'boolean', default: false },
      only: { type: 'string' },
      framework: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [command, ...names] = positionals
  if (values.help || command === 'help') return null
  if (command === undefined || !isCommand(command))
    throw new TypeError(`name a command: ${Object.keys(COMMANDS).join(', ')}`)
  const { least, most } = COMMANDS[command]
  if (names.length < least) throw new TypeError(`"${command}" needs the name of a part`)
  if (names.length > most) throw new TypeError(`"${command}" does not take "${names[most]}"`)
  return {
    command,
    names,
    folder: resolve(values.project),
    isJson: values.json,
    isForced: values.force,
    isDry: values['dry-run'],
    installs: values.install,
    tests: values.test,
    only: values.only,
    framework: values.framework,
  }
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word)
}
