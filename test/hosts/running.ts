import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const STOP_MILLISECONDS = 20_000

/** A program that listens. */
export interface Running {
  readonly port: number
  /** What it has written so far. */
  readonly output: () => string
  /** Ends it. */
  readonly stop: () => Promise<void>
}

/** How a program is started. */
export interface Start {
  readonly folder: string
  /** Variables besides those of the tests. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a program and waits until it writes `listening on <port>`.
 *
 * @param command Program and arguments.
 * @param start Where it runs.
 * @returns The running program.
 * @throws {Error} Rejects with what it has written if it ends before.
 */
export async function start(
  [program = '', ...args]: readonly string[],
  { folder, env }: Start,
): Promise<Running> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /^listening on (\d+)$/m.exec(output)
      if (found !== null) resolve(Number(found[1]))
    })
  child.once('error', reject)
  child.once('exit', (code) => reject(new Error(`It ended with ${code} before it listened: ${output}`)))
  return { port: await port, output: () => output, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS)
  await once(child, 'exit')
  clearTimeout(late)
}
