// Loaded before the program: at each SIGUSR2 it writes down what the process holds after a collection, as a line of a file that bears the
// name of its port.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const { PROBES = '', PORT = '' } = process.env

process.on('SIGUSR2', () => {
  // What the first collection finalizes, the second one frees.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo().length
  appendFileSync(join(PROBES, PORT), `${JSON.stringify({ heapUsed, rss, resources })}\n`)
})
