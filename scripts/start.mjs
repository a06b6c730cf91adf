/**
 * `npm start`: runs the reference application from its sources.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { prepare, root } from './lib/toolchain.mjs'

const main = join(root, 'starter', 'main.ts')
const application = spawn(prepare(), ['--conditions=source', main, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})

process.on('SIGTERM', () => application.kill('SIGTERM'))
process.on('SIGHUP', () => application.kill('SIGHUP'))
// At a terminal Ctrl-C reaches the application by itself: passing it on would be a second one, which means "at once".
process.on('SIGINT', () => process.stdin.isTTY || application.kill('SIGINT'))

application.on('error', (error) => {
  process.stderr.write(`Cannot start the application: ${error.message}\n`)
  process.exitCode = 1
})
application.on('exit', (code, signal) => {
  if (signal === null) {
    process.exitCode = code
    return
  }
  // Die as the application did, so that whoever started us sees the same.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
