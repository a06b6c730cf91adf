/**
 * Runs a program in the place of this one: it ends when we are told to, and we end as it does.
 *
 * @module
 */
import { spawn } from 'node:child_process'

const watchMilliseconds = 250

/**
 * Runs a program to its end.
 *
 * Signals are passed on, with one exception: at a terminal Ctrl-C reaches the program by itself, and passing it on would
 * be a second one, which means "at once". `npm` runs scripts in a shell that may die of a signal without passing it on;
 * we notice by having got another parent, and end the program then.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, isInterrupted: boolean }>} How it ended, and
 * whether it was told to.
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
 * Ends this process as a program ended, so that whoever started us sees the same.
 *
 * @param {{ code: number | null, signal: NodeJS.Signals | null }} end
 */
export function endLike({ code, signal }) {
  if (signal === null) process.exitCode = code ?? 1
  else process.kill(process.pid, signal)
}

/** Promise.withResolvers() is younger than Node 20. */
function withResolvers() {
  const deferred = {}
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred
}
