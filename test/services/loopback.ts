/**
 * What servers of tests have in common: a free port, a process.
 *
 * @module
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

export { freePort } from '../../packages/sallyport-app/src/testing/free-port.ts'

const PATIENCE_MILLISECONDS = onThisMachine(20_000)
const isLinux = process.platform === 'linux'

/**
 * Starts a program that listens on a port, and waits until it does.
 *
 * @param command Program and arguments.
 * @param port Its port on the loopback interface.
 * @param options As for `spawn()`.
 * @returns The running program.
 * @throws {Error} If it ends instead, or does not listen in time; the message has what it said.
 */
export async function startListener(
  command: readonly string[],
  port: number,
  options: SpawnOptions = {},
): Promise<ChildProcess> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  killWithUs(child)
  const end = performance.now() + PATIENCE_MILLISECONDS
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > end) {
      child.kill('SIGKILL')
      throw new Error(`Cannot start ${program}: ${said}`)
    }
    await pause(20)
  }
  return child
}

/**
 * Ends a program and waits until it has ended. With `SIGKILL` the processes that it has started end with it, and are
 * waited for too: until they are gone they hold its folder, and PostgreSQL refuses to start again beside them.
 *
 * @param child The program.
 * @param signal How it is asked.
 */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  let started: number[] = []
  if (signal === 'SIGKILL') {
    // Standing still, it starts nothing more that the list would miss.
    child.kill('SIGSTOP')
    while (!['T', 'Z', null].includes(stateOf(child.pid))) await pause(1)
    started = childrenOf(child.pid)
    signalTree(child, 'SIGKILL')
  } else {
    signalTree(child, 'SIGCONT')
    child.kill(signal)
  }
  await ended
  while (started.some((pid) => !['Z', null].includes(stateOf(pid)))) await pause(5)
}

/**
 * Sends a signal to a program and the processes that it has started.
 *
 * @param child The program.
 * @param signal The signal, for example `SIGSTOP`.
 */
export function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  for (const pid of [child.pid, ...childrenOf(child.pid)]) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // It has ended by itself meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

// A test that is ended, by its time limit or by hand, leaves nothing running.
function killWithUs(child: ChildProcess): void {
  const kill = (): void => signalTree(child, 'SIGKILL')
  const leave = (signal: NodeJS.Signals): void => {
    kill()
    process.kill(process.pid, signal)
  }
  process.once('exit', kill)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, leave)
  child.once('exit', () => {
    process.off('exit', kill)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.off(signal, leave)
  })
}

function childrenOf(pid: number): number[] {
  const children = readProcess(`${pid}/task/${pid}/children`) ?? ''
  return children.split(' ').filter(Boolean).map(Number)
}

// A letter: T for one that stands still, Z for one that has ended and that nobody has asked after; null when it is gone.
function stateOf(pid: number): string | null {
  const stat = readProcess(`${pid}/stat`)
  return stat === null ? null : (/^.*\) (\S)/s.exec(stat)?.[1] ?? null)
}

function readProcess(file: string): string | null {
  if (!isLinux) return null
  try {
    return readFileSync(`/proc/${file}`, 'utf8')
  } catch (error) {
    // It ends while it is read.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code)))
      return null
    throw error
  }
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
