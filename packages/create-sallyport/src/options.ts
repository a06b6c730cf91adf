/**
 * The words of the command line.
 *
 * @module
 */
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What somebody asked for. */
export interface Asked {
  /** Folder of the project. */
  readonly folder: string
  readonly name: string
  readonly preset: string
  readonly added: readonly string[]
  readonly left: readonly string[]
  /** Version of the framework, or path of a packed one. Default: the version of the kit. */
  readonly framework: string | undefined
  readonly installs: boolean
  readonly usesGit: boolean
}

/** How it is called. */
export const USAGE = `Usage: create-sallyport FOLDER [options]

  --preset standard|full   which parts it has; default: full
  --with PART,PART         parts to add
  --without PART,PART      parts to leave out
  --name NAME              name of the package; default: that of the folder
  --framework SPEC         version of the framework, or a packed file, which is copied; default: that of this kit
  --no-install             does not run "npm install"
  --no-git                 makes no git repository
`

/**
 * @param line Words after the name of the program.
 * @returns What was asked for; null for help.
 * @throws {TypeError} If the words are none of these, or the folder is missing.
 * @throws {RangeError} If the name is none of a package.
 */
export function readOptions(line: readonly string[]): Asked | null {
  const { values, positionals } = parseArgs({
    args: [...line],
    allowPositionals: true,
    allowNegative: true,
    options: {
      preset: { type: 'string', default: 'full' },
      with: { type: 'string', default: '' },
      without: { type: 'string', default: '' },
      name: { type: 'string' },
      framework: { type: 'string' },
      install: { type: 'boolean', default: true },
      git: { type: 'boolean', default: true },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return null
  const [given, ...others] = positionals
  if (given === undefined || others.length > 0) throw new TypeError('name one folder for the project')
  const folder = resolve(given)
  const name = values.name ?? basename(folder).toLowerCase()
  if (!/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/.test(name))
    throw new RangeError(`"${name}" cannot be the name of a package: pass one with --name`)
  return {
    folder,
    name,
    preset: values.preset,
    added: listOf(values.with),
    left: listOf(values.without),
    framework: values.framework,
    installs: values.install,
    usesGit: values.git,
  }
}

function listOf(text: string): readonly string[] {
  return text.split(',').filter((name) => name !== '')
}
