// Loaded before the program: at each SIGUSR2 it writes down what the process holds after a collection, as a line of a file that bears the
// name of its port.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapSpaceStatistics } from 'node:v8'

const { PROBES = '', PORT = '' } = process.env

process.on('SIGUSR2', () => {
  // What the first collection finalizes, the second one frees.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  // Machine code and bytecode: they grow while more of the program is compiled, and never hold what a request has left.
  const code = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => /^(?:code|trusted|shared_trusted)_/.test(name))
    .reduce((sum, { space_used_size: size }) => sum + size, 0)
  const resources = process.getActiveResourcesInfo().length
  appendFileSync(join(PROBES, PORT), `${JSON.stringify({ heapUsed, code, rss, resources })}\n`)
})
