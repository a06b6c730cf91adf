// Loaded before the program: at each SIGUSR2 it writes down what the process holds after a collection, as a line of a file that bears the
// name of its port.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const { PROBES = '', PORT = '' } = process.env

process.on('SIGUSR2', () => {
  // The thorough collection of a process that runs out of memory: an ordinary one keeps compiled code that is no longer used.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { heapUsed, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo().length
  appendFileSync(join(PROBES, PORT), `${JSON.stringify({ heapUsed, rss, resources })}\n`)
})
