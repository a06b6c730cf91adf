/**
 * The words of the command line.
 *
 * @module
 */
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What the words say; undefined where they say nothing. */
export interface Given {
  /** Folder of the project. */
  readonly folder: string | undefined
  readonly name: string | undefined
  readonly preset: string | undefined
  readonly added: readonly string[] | undefined
  readonly left: readonly string[] | undefined
  /** Tags. */
  readonly languages: readonly string[] | undefined
  readonly database: string | undefined
  /** Version of the framework, or path of a packed one or of a checkout. */
  readonly framework: string | undefined
  readonly installs: boolean | undefined
  readonly usesGit: boolean | undefined
  /** Whether what they do not say may be asked in a terminal. */
  readonly mayAsk: boolean
}

/** What somebody asked for. */
export interface Asked {
  readonly folder: string
  readonly name: string
  readonly preset: string
  readonly added: readonly string[]
  readonly left: readonly string[]
  /** Tags. Default: all of the kit. */
  readonly languages: readonly string[] | undefined
  readonly database: string
  /** Default: the version of the kit. */
  readonly framework: string | undefined
  readonly installs: boolean
  readonly usesGit: boolean
}

// What npm takes as the name of a new package.
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9_.-]*\/)?[a-z0-9][a-z0-9_.-]*$/

/** The preset unless another is named. */
export const DEFAULT_PRESET: string = 'full'

/** How it is called. */
export const USAGE: string = `Usage: create-sallyport FOLDER [options]

  --preset minimal|standard|full
                           minimal: the notebook of the tutorial; standard, full: the starter with some or all of its
                           parts; default: ${DEFAULT_PRESET}
  --with PART,PART         parts to add
  --without PART,PART      parts to leave out
  --languages TAG,TAG      its languages, with en among them; default: en,de
  --database sqlite|postgres
                           where it keeps its data; postgres: with a service for Docker; default: sqlite
  --name NAME              name of the package; default: that of the folder
  --framework SPEC         version of the framework, a packed file, which is copied, or a checkout, which is packed;
                           default: that of this kit
  --no-install             does not run "npm install"
  --no-git                 makes no git repository
  --yes, -y                takes the defaults

In a terminal, what no option says is asked, unless --yes is there.
`

/**
 * @param line Words after the name of the program.
 * @returns What they say; null for help.
 * @throws {TypeError} If the words are none of these, or there are several folders.
 */
export function readOptions(line: readonly string[]): Given | null {
  const { values, positionals } = parseArgs({
    args: [...line],
    allowPositionals: true,
    allowNegative: true,
    options: {
      preset: { type: 'string' },
      with: { type: 'string' },
      without: { type: 'string' },
      languages: { type: 'string' },
      database: { type: 'string' },
      name: { type: 'string' },
      framework: { type: 'string' },
      install: { type: 'boolean' },
      git: { type: 'boolean' },
      yes: { type: 'boolean', short: 'y', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return null
  const [folder, ...others] = positionals
  if (others.length > 0) throw new TypeError('name one folder for the project')
  return {
    folder,
    name: values.name,
    preset: values.preset,
    added: listOf(values.with),
    left: listOf(values.without),
    languages: listOf(values.languages),
    database: values.database,
    framework: values.framework,
    installs: values.install,
    usesGit: values.git,
    mayAsk: !values.yes,
  }
}

/**
 * @param given What is known.
 * @returns The same, with a default for everything else.
 * @throws {TypeError} If the folder is missing.
 * @throws {RangeError} If the name is none of a package.
 */
export function withDefaults(given: Given): Asked {
  if (given.folder === undefined) throw new TypeError('name a folder for the project')
  const folder = resolve(given.folder)
  const name = given.name ?? basename(folder).toLowerCase()
  if (!PACKAGE_NAME.test(name))
    throw new RangeError(`"${name}" cannot be the name of a package: pass --name ${nameLike(name)}`)
  return {
    folder,
    name,
    preset: given.preset ?? DEFAULT_PRESET,
    added: given.added ?? [],
    left: given.left ?? [],
    languages: given.languages,
    database: given.database ?? 'sqlite',
    framework: given.framework,
    installs: given.installs ?? true,
    usesGit: given.usesGit ?? true,
  }
}

function nameLike(name: string): string {
  const like = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9@/_.-]+/g, '-')
    .replaceAll(/^[_.-]+|-+$/g, '')
  return PACKAGE_NAME.test(like) ? like : 'with lower-case letters, digits and hyphens'
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').filter((name) => name !== '')
}
