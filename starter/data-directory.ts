import { randomBytes, randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Secret } from 'sallyport'
import { StartupError } from './environment.ts'
import { FactorVault } from './identity/factor-vault.ts'

const KEY_FILE = 'factor.key'

/** Paths inside the data folder. */
export interface DataPaths {
  /** Accounts, factors, limits and the audit trail. */
  readonly accounts: string
  /** Sessions. */
  readonly sessions: string
}

/**
 * Makes the data folder where it is missing. Only its owner may look into it.
 *
 * @param directory The folder.
 * @returns The paths of what it holds.
 * @throws {StartupError} If it, or a database in it, cannot be made or written to.
 */
export function prepareDataDirectory(directory: string): DataPaths {
  try {
    makeDirectory(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    // Permissions alone do not tell: the file system may be read-only or full, or this may be a file.
    const probe = join(directory, `.probe-${process.pid}`)
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (cause) {
    throw new StartupError(
      `the data folder ${directory} cannot be written (${reasonOf(cause)}): set DATA_DIR to another one`,
      { cause },
    )
  }
  const paths = { accounts: join(directory, 'accounts.sqlite'), sessions: join(directory, 'sessions.sqlite') }
  for (const path of Object.values(paths)) assertWritable(path)
  return paths
}

// SQLite opens what it may only read, and the first login were the one to find out.
function assertWritable(path: string): void {
  try {
    if (existsSync(path)) closeSync(openSync(path, 'r+'))
  } catch (cause) {
    throw new StartupError(
      `the database ${path} cannot be written (${reasonOf(cause)}): give this program the right to, or set DATA_DIR to another folder`,
      { cause },
    )
  }
}

/**
 * Reads the key of a development machine, and makes it at the first start. It is in a file of its own, so a copy of
 * the database alone opens no factor.
 *
 * @param directory The data folder.
 * @returns The key.
 * @throws {StartupError} If it can be neither read nor made, or is none.
 */
export function developmentKey(directory: string): Secret {
  const path = join(directory, KEY_FILE)
  const key = readKey(path)
  try {
    // Built to be judged only.
    void new FactorVault([key])
    return key
  } catch (cause) {
    throw new StartupError(
      `the key ${path} is damaged: restore it from a copy, or delete the folder to begin anew`,
      { cause },
    )
  }
}

function readKey(path: string): Secret {
  try {
    if (!existsSync(path)) makeKey(path)
    return new Secret(readFileSync(path, 'utf8').trim())
  } catch (cause) {
    throw new StartupError(
      `the key ${path} can be neither read nor made (${reasonOf(cause)}): give this program the right to, or set FACTOR_KEY`,
      { cause },
    )
  }
}

// Written beside and linked into its place: nobody ever sees half a key, and of two first starts one key wins. The draft
// has a name of its own and is never opened when it is there: one that a kill left behind may be the key itself.
function makeKey(path: string): void {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/**
 * @param error What was thrown.
 * @returns Its system code such as `EACCES`, else its message.
 */
export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error))
}

/**
 * @param error What was thrown.
 * @returns Its system code such as `EADDRINUSE`; undefined when it has none.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

// mkdir's own `recursive` never comes back where the file system answers ENOENT below a folder that exists, as /proc does.
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  const parent = dirname(directory)
  if (parent !== directory) makeDirectory(parent)
  mkdirSync(directory, { mode: 0o700 })
}
