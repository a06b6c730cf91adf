/**
 * The process of a contestant and its processor time.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const bootMilliseconds = 20_000
const stopMilliseconds = 2000

/** Whether servers and load generator can each have a processor core of their own. */
export const canPin: boolean =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['--version']).status === 0

const running = new Set<ChildProcess>()

/** A started program. */
export interface Server {
  readonly port: number
  readonly pid: number
  readonly process: ChildProcess
}

/**
 * Makes a command run on one core only.
 *
 * @param core Its number.
 * @param command The program and its arguments.
 * @returns The command; unchanged when cores cannot be chosen.
 */
export function pinned(core: number, command: readonly string[]): [string, ...string[]] {
  const [program = '', ...args] = command
  return canPin ? ['taskset', '--cpu-list', `${core}`, program, ...args] : [program, ...args]
}

/**
 * Starts a contestant on core 0 and waits until it listens.
 *
 * @param file Its program.
 * @param env Environment variables besides PORT and HOST.
 * @returns The server.
 * @throws {Error} If it ends or does not start listening.
 */
export async function startServer(file: string, env: Readonly<Record<string, string>>): Promise<Server> {
  const port = await findFreePort()
  const command = pinned(0, [process.execPath, '--conditions=sallyport-source', file])
  return start(command, { port, env: { NODE_ENV: 'production', PORT: `${port}`, HOST: '127.0.0.1', ...env } })
}

/**
 * Starts a Redis server without persistence, on core 1 next to the load generator.
 *
 * @returns The server.
 * @throws {Error} If there is no `redis-server` in PATH, or it does not start.
 */
export async function startRedis(): Promise<Server> {
  if (spawnSync('redis-server', ['--version']).status !== 0)
    throw new Error('there is no redis-server in PATH')
  const port = await findFreePort()
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  return start(pinned(1, ['redis-server', ...settings]), { port, env: {} })
}

async function start(
  [program, ...args]: [string, ...string[]],
  { port, env }: { readonly port: number; readonly env: Readonly<Record<string, string>> },
): Promise<Server> {
  // `taskset` replaces itself by the program: the pid is that of the server.
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))

  const deadline = performance.now() + bootMilliseconds
  while (!(await isListening(port))) {
    if (child.exitCode === null && performance.now() < deadline) await sleep(50)
    else {
      await stopServer(child)
      const complaint =
        complaints.split('\n').find((line) => /error/i.test(line)) ?? complaints.trim().slice(-600)
      throw new Error(`does not listen, exit code ${child.exitCode}: ${complaint || 'it said nothing'}`)
    }
  }
  return { port, pid: child.pid ?? 0, process: child }
}

/** Kills all contestants, for when the bench itself is ended. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL')
}

/**
 * Ends a process, by force if necessary.
 *
 * @param child The process.
 */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds)
  await gone
  clearTimeout(force)
}

/**
 * Reads the processor time of a process, as the scheduler of Linux counts it.
 *
 * @param pid The process.
 * @param threads Name of the threads that are counted. Default: all of them.
 * @returns Nanoseconds; NaN on another system.
 */
export function cpuNanoseconds(pid: number, threads?: string): number {
  if (process.platform !== 'linux') return Number.NaN
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const read = (file: string): string => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8')
    if (threads === undefined || read('comm').trim() === threads)
      sum += Number(read('schedstat').split(' ')[0])
  }
  return sum
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
