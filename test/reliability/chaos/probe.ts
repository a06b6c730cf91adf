/**
 * A well-behaved client in a thread of its own: asks for one page after another until it is told to stop, and gives the
 * milliseconds that each took.
 *
 * @module
 */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const port = Number(workerData)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const times: number[] = []
const over = new AbortController()
parentPort?.once('message', () => over.abort())

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent, path: '/number?1' }, (incoming) => {
      incoming
        .resume()
        .on('end', () =>
          incoming.statusCode === 200 ? resolve() : reject(new Error(`Status ${incoming.statusCode}`)),
        )
    }).on('error', reject)
  })
}

while (!over.signal.aborted) {
  const begin = performance.now()
  await ask()
  times.push(performance.now() - begin)
  await pause(3)
}
agent.destroy()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(times)
