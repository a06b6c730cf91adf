/**
 * A project that serves, begun as its README says.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { SHELL } from './starter-copy.ts'

/** What it printed, and where it is. */
export interface Started {
  readonly banner: string
  readonly url: string
}

/**
 * Runs `npm start` in a project, and ends it after the test, by its number.
 *
 * @param t The test.
 * @param project Folder of the project.
 * @param last What its last line has.
 * @returns What it printed until then.
 */
export async function startProject(
  t: { readonly after: (hook: () => Promise<void>) => void },
  project: string,
  last: string,
): Promise<Started> {
  const child = spawn('env', [...SHELL, 'npm', 'start', '--silent'], {
    cwd: project,
    env: { ...process.env, PORT: '0', NO_COLOR: '1', NODE_OPTIONS: '' },
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
  while (!banner.includes(last)) await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
  return { banner, url: /http:\/\/\S+/.exec(banner)?.[0] ?? '' }
}
