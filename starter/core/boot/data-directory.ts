import { randomBytes, randomUUID } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Secret } from 'sallyport'
import { type Environment, StartupError } from './environment.ts'
import { FactorVault } from '../factors/factor-vault.ts'

const KEY_FILE = 'factor.key'
// Files that SQLite keeps beside a database hold parts of it.
const BESIDE: readonly string[] = ['', '-wal', '-shm', '-journal']
const OTHERS = 0o077
const OTHERS_MAY_WRITE = 0o022
// Others may add files to such a folder, but not remove or rename those of the owner.
const STICKY = 0o1000

/** Paths inside the data folder. */
export interface DataPaths {
  /** Accounts, factors, limits and the audit trail. */
  readonly accounts: string
  /** Sessions. */
  readonly sessions: string
}

/**
 * Creates the data folder when missing. Only its owner may read it, and the files in it: also those that are there already. A
 * folder that is there keeps its permissions, because it may hold other things.
 *
 * @returns The paths inside the folder.
 * @throws {StartupError} If the folder, or a database in it, cannot be created, written to or kept from others.
 */
export function prepareDataDirectory(directory: string): DataPaths {
  try {
    makeDirectory(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    // Permissions alone do not show it: the file system may be read-only or full, or this may be a file.
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
  for (const path of Object.values(paths)) {
    assertWritable(path)
    for (const suffix of BESIDE) keepFromOthers(path + suffix)
  }
  return paths
}

/** @returns Whether others could replace the files in it. */
function isOpenToOthers(directory: string): boolean {
  const { mode } = statSync(directory)
  return (mode & OTHERS_MAY_WRITE) !== 0 && (mode & STICKY) === 0
}

/** @returns What a start does not refuse, although it is probably not meant. */
export function warningsAbout({ warnings, dataDirectory }: Environment): readonly string[] {
  if (!isOpenToOthers(dataDirectory)) return warnings
  const open = `other users may write to the data folder ${dataDirectory}, and could replace what is in it: set its permissions to 0700`
  return [...warnings, open]
}

// What SQLite creates later gets the permissions of its database, whatever the umask says.
function keepFromOthers(path: string): void {
  try {
    const status = statSync(path, { throwIfNoEntry: false })
    if (status !== undefined && (status.mode & OTHERS) !== 0) chmodSync(path, 0o600)
  } catch (cause) {
    throw new StartupError(
      `${path} can be read by others, and this program cannot change that (${reasonOf(cause)}): make the user of this program its owner, with the permissions 0600`,
      { cause },
    )
  }
}

// SQLite opens read-only files without an error, which would surface only at the first login.
function assertWritable(path: string): void {
  try {
    if (existsSync(path)) closeSync(openSync(path, 'r+'))
  } catch (cause) {
    throw new StartupError(
      `the database ${path} cannot be written (${reasonOf(cause)}): grant this program write access, or set DATA_DIR to another folder`,
      { cause },
    )
  }
}

/**
 * Reads the key of a development machine; creates it at the first start. It is stored in a separate file, so a copy of the
 * database alone reveals no factor.
 *
 * @returns The key.
 * @throws {StartupError} If it can be neither read nor created, or is malformed.
 */
export function developmentKey(directory: string): Secret {
  const path = join(directory, KEY_FILE)
  const key = readKey(path)
  try {
    // Created only to validate.
    void new FactorVault([key])
    return key
  } catch (cause) {
    throw new StartupError(
      `the key ${path} is damaged: restore it from a copy, or delete the folder to start over`,
      { cause },
    )
  }
}

function readKey(path: string): Secret {
  try {
    if (!existsSync(path)) makeKey(path)
    keepFromOthers(path)
    return new Secret(readFileSync(path, 'utf8').trim())
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `the key ${path} can be neither read nor created (${reasonOf(cause)}): grant this program write access, or set FACTOR_KEY`,
      { cause },
    )
  }
}

// Written to a temporary file and linked into place: no process sees half a key, and of two first starts one key wins. The
// temporary file has a unique name and must not exist: one left by a killed process may be a hard link to the key.
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

/** @returns Its system code such as `EACCES`, otherwise its message. */
export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error))
}

/** @returns Its system code such as `EADDRINUSE`; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

// mkdir's own `recursive` never returns when the file system reports ENOENT below an existing folder, as /proc does.
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  const parent = dirname(directory)
  if (parent !== directory) makeDirectory(parent)
  mkdirSync(directory, { mode: 0o700 })
}
