import { chmod, link, lstat, unlink, writeFile } from 'node:fs/promises'
import { connect, type Server as NetServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes } from '../core/internal.ts'

// The system's limit is 103 bytes on some platforms and 107 on others.
const MAX_PATH_BYTES = 103
const ATTEMPTS = 100
const PAUSE_MILLISECONDS = 10
// Far longer than a leftover takes to be removed.
const LOCK_MILLISECONDS = 10_000

/** Stops listening on a Unix socket: removes its file. */
export type ReleaseSocket = () => Promise<void>

/**
 * @param path Path of a Unix socket.
 * @returns Whether the system can listen on it, and on the hidden name beside it that {@link listenOnSocket} begins with.
 */
export function isSocketPath(path: string): boolean {
  const full = resolve(path)
  const longest = Math.max(Buffer.byteLength(full), Buffer.byteLength(hiddenNameBeside(full)))
  return !path.includes('\0') && longest <= MAX_PATH_BYTES
}

/**
 * Listens on a Unix socket. The file appears under its name only when the server listens and has the right mode, so a file of
 * that name that nobody answers is a leftover of a process that has ended, and is removed. A socket that is answered, and
 * anything but a socket, is left alone.
 *
 * @param server The server.
 * @param path Where to listen.
 * @param mode Mode of the file.
 * @returns Removes the file, if it is still the one of this server.
 * @throws {Error} If another server listens there (`EADDRINUSE`), something else is there, or the folder is not accessible.
 */
export async function listenOnSocket(server: NetServer, path: string, mode: number): Promise<ReleaseSocket> {
  const name = resolve(path)
  const hidden = hiddenNameBeside(name)
  await listen(server, hidden)
  try {
    await chmod(hidden, mode)
    await publish(hidden, name)
  } catch (error) {
    await new Promise((done) => server.close(done))
    throw error
  } finally {
    await unlink(hidden).catch(ignoreMissing)
  }
  const { ino, dev } = await lstat(name)
  return async () => {
    const found = await lstat(name).catch(() => null)
    if (found?.ino === ino && found.dev === dev) await unlink(name).catch(ignoreMissing)
  }
}

function listen(server: NetServer, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(path, () => {
      server.off('error', fail)
      done()
    })
  })
}

// A link never replaces a file, so of two processes that start at once one wins.
async function publish(hidden: string, name: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await link(hidden, name)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    await assertLeftover(name)
    if (!(await removeLocked(name, hidden))) await pause(PAUSE_MILLISECONDS)
  }
  throw inUse(name)
}

async function assertLeftover(name: string): Promise<void> {
  const found = await lstat(name).catch(ignoreMissing)
  if (found?.isSocket() === false)
    throw new Error(`Cannot listen on "${name}": a file that is not a socket is there`)
  if (await isAnswered(name)) throw inUse(name)
}

// Who removes a leftover holds a lock. While the leftover is there nobody can put a socket in its place, and nobody else
// removes it, so what was found to be a leftover still is one when it is removed.
async function removeLocked(name: string, hidden: string): Promise<boolean> {
  const lock = join(dirname(name), `.${basename(name)}.lock`)
  try {
    await writeFile(lock, '', { flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    await removeAbandoned(lock, hidden)
    return false
  }
  try {
    await assertLeftover(name)
    await unlink(name).catch(ignoreMissing)
    return true
  } finally {
    await unlink(lock).catch(ignoreMissing)
  }
}

// A process that ended while it held the lock leaves it behind. Our own socket was made just now.
async function removeAbandoned(lock: string, hidden: string): Promise<void> {
  const [held, own] = [await lstat(lock).catch(ignoreMissing), await lstat(hidden)]
  if (held !== undefined && own.mtimeMs - held.mtimeMs > LOCK_MILLISECONDS)
    await unlink(lock).catch(ignoreMissing)
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', (error) => done(!['ECONNREFUSED', 'ENOENT'].includes(codeOf(error))))
  })
}

function hiddenNameBeside(name: string): string {
  return join(dirname(name), `.${randomBytes(6).toString('base64url')}`)
}

function inUse(name: string): Error {
  return Object.assign(new Error(`Cannot listen on "${name}": another server listens there`), {
    code: 'EADDRINUSE',
  })
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
