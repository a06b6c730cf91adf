import { chmod, link, lstat, rename, unlink } from 'node:fs/promises'
import { connect, type Server as NetServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { randomBytes } from '../core/internal.ts'

// The system's limit is 103 bytes on some platforms and 107 on others.
const MAX_PATH_BYTES = 103
const ATTEMPTS = 10

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
    await removeLeftover(name)
  }
  throw inUse(name)
}

// Moved away first: what has been moved cannot be replaced by the socket of another process between the check and the removal.
async function removeLeftover(name: string): Promise<void> {
  const found = await lstat(name).catch(ignoreMissing)
  if (found?.isSocket() === false)
    throw new Error(`Cannot listen on "${name}": a file that is not a socket is there`)
  if (await isAnswered(name)) throw inUse(name)
  const aside = hiddenNameBeside(name)
  try {
    await rename(name, aside)
  } catch (error) {
    return ignoreMissing(error)
  }
  // Another process has begun to listen since.
  if (await isAnswered(aside)) await link(aside, name).catch(() => undefined)
  await unlink(aside).catch(ignoreMissing)
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
