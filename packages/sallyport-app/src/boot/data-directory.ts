import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
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
import { KeyRing } from '../keys/index.ts'
import { codeOf, reasonOf, StartupError } from '../settings/index.ts'

// Files that SQLite keeps beside a database hold parts of it.
const BESIDE: readonly string[] = ['', '-wal', '-shm', '-journal']
const OTHERS = 0o077

/** Paths inside the data folder. */
export interface DataPaths {
  /** File of the database of the application. */
  readonly accounts: string
  /** File of the sessions. */
  readonly sessions: string
}

/**
 * Names the databases in a folder.
 *
 * @param directory The folder.
 * @returns Where the databases are.
 */
export function dataPaths(directory: string): DataPaths {
  return { accounts: join(directory, 'accounts.sqlite'), sessions: join(directory, 'sessions.sqlite') }
}

/**
 * Makes the data folder if it is missing, and keeps the files in it from others. A folder that is there keeps its permissions, because it
 * may hold other things.
 *
 * @param directory The folder.
 * @returns Where the databases are, or will be.
 * @throws {StartupError} If the folder, or a database in it, cannot be created, written to or kept from others.
 */
export function prepareDataDirectory(directory: string): DataPaths {
  attempt(`the data folder ${directory} cannot be written`, 'set DATA_DIR to another one', () => {
    makeDirectory(directory)
    // Permissions alone do not show it: the file system may be read-only or full, or this may be a file.
    const probe = join(directory, `.probe-${process.pid}`)
    writeFileSync(probe, 'x')
    rmSync(probe)
  })
  const paths = dataPaths(directory)
  for (const path of [paths.accounts, paths.sessions]) {
    // SQLite opens read-only files without an error, which would surface only at the first login.
    attempt(
      `the database ${path} cannot be written`,
      'grant this program write access, or set DATA_DIR to another folder',
      () => {
        if (existsSync(path)) closeSync(openSync(path, 'r+'))
      },
    )
    for (const suffix of BESIDE) keepFromOthers(path + suffix)
  }
  return paths
}

/**
 * Reads the key of a development machine; creates it at the first start. It is stored in a separate file, so a copy of the database alone
 * opens nothing that is sealed.
 *
 * @param directory The data folder.
 * @returns The key: 32 random bytes in hexadecimal.
 * @throws {StartupError} If it can be neither read nor created, or is malformed.
 */
export function developmentKey(directory: string): Secret {
  const path = join(directory, 'factor.key')
  const key = attempt(
    `the key ${path} can be neither read nor created`,
    'grant this program write access, or set FACTOR_KEY',
    () => {
      if (!existsSync(path)) makeKey(path)
      keepFromOthers(path)
      return new Secret(readFileSync(path, 'utf8').trim())
    },
  )
  try {
    // Created only to validate.
    void new KeyRing([key])
    return key
  } catch (cause) {
    throw new StartupError(
      `the key ${path} is damaged: restore it from a copy, or delete the folder to start over`,
      { cause },
    )
  }
}

// What SQLite creates later gets the permissions of its database, whatever the umask says.
function keepFromOthers(path: string): void {
  attempt(
    `${path} can be read by others, and this program cannot change that`,
    'make the user of this program its owner, with the permissions 0600',
    () => {
      const status = statSync(path, { throwIfNoEntry: false })
      if (status !== undefined && (status.mode & OTHERS) !== 0) chmodSync(path, 0o600)
    },
  )
}

// Written to a file of its own and linked into place: no process sees half a key, and of two first starts one key wins.
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

// mkdir's own `recursive` never returns when the file system reports ENOENT below an existing folder, as /proc does.
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  const parent = dirname(directory)
  if (parent !== directory) makeDirectory(parent)
  mkdirSync(directory, { mode: 0o700 })
}

function attempt<T>(fault: string, remedy: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`${fault} (${reasonOf(cause)}): ${remedy}`, { cause })
  }
}
