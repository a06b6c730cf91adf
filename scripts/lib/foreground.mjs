/**
 * Runs a program in place of this one: signals are passed on, and this process ends as the program does.
 *
 * @module
 */
import { spawn } from 'node:child_process'

const watchMilliseconds = 250

/**
 * Runs a program to its end.
 *
 * Signals are passed on, with one exception: at a terminal, Ctrl-C reaches the program directly, and passing it on would
 * be a second one, which means "at once". `npm` runs scripts in a shell that may die of a signal without passing it on; a
 * changed parent process shows that, and the program is then ended.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, isInterrupted: boolean }>} How it ended, and
 * whether a signal ended it.
 */
export function runForeground(program, args, options) {
  const { promise, resolve, reject } = withResolvers()
  const child = spawn(program, args, options)
  const parent = process.ppid
  let isInterrupted = false
  const interrupt = (signal) => {
    isInterrupted = true
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const watch = setInterval(() => process.ppid === parent || interrupt('SIGTERM'), watchMilliseconds)
  const forwarders = { SIGTERM: interrupt, SIGHUP: interrupt, SIGINT: interrupt }
  for (const [signal, forward] of Object.entries(forwarders)) process.on(signal, forward)

  child.on('error', reject)
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    for (const [name, forward] of Object.entries(forwarders)) process.off(name, forward)
    resolve({ code, signal, isInterrupted: isInterrupted || signal !== null })
  })
  return promise
}

/**
 * Ends this process in the same way as a program ended, so that the caller sees the same result.
 *
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal === null) process.exitCode = code ?? 1
  else process.kill(process.pid, signal)
}

/** Promise.withResolvers() is newer than Node 20. */
function withResolvers() {
  const deferred = {}
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred
}
