/**
 * A project that serves, begun as its README says.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'
import { SHELL } from './starter-copy.ts'

const PATIENCE_MILLISECONDS = onThisMachine(60_000)

/** What it printed, and where it is. */
export interface Started {
  readonly banner: string
  readonly url: string
}

/** What is run. */
export interface Start {
  readonly last: string
  readonly script?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs a script of a project, and ends it after the test, by its number.
 *
 * @param t The test.
 * @param project Folder of the project.
 * @param what `last`: what the last line has that it waits for; `script`: its name, by default `start`; `env`: more variables.
 * @returns What it printed until then.
 */
export async function startProject(
  t: { readonly after: (hook: () => Promise<void>) => void },
  project: string,
  { last, script = 'start', env = {} }: Start,
): Promise<Started> {
  const child = spawn('env', ['-u', 'NODE_ENV', ...SHELL, 'npm', 'run', script, '--silent'], {
    cwd: project,
    env: { ...process.env, PORT: '0', NO_COLOR: '1', NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(async () => {
    const closed = once(child, 'close')
    process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
    await closed
  })
  let banner = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (banner += text))
  while (!banner.includes(last))
    await once(child.stdout, 'data', { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) })
  return { banner, url: /http:\/\/\S+/.exec(banner)?.[0] ?? '' }
}
