/**
 * Runs interleaved requests in a thread of their own: the test runner follows every promise of its own thread, which
 * costs more than the requests.
 *
 * @module
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { App } from 'sallyport'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { PointStore } from '../../attacks/fixture/point-store.ts'
import { createApplication } from './application.ts'
import { mixups, type Send } from './mixups.ts'

function inProcess(app: App): Send {
  return async ({ path, cookie, fields }) => {
    const headers = { accept: 'application/json', ...(cookie === '' ? {} : { cookie: `sid=${cookie}` }) }
    const init =
      fields === undefined ? { headers } : { headers, method: 'POST', body: new URLSearchParams(fields) }
    const response = await app.fetch(new Request(`http://localhost${path}`, init))
    const set = /^sid=([^;]*);/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? null
    return { status: response.status, body: await response.json(), cookie: set }
  }
}

const clock = new FrozenClock()
const faults: unknown[] = []
let turns = 0
// Zero to three turns of the event loop at each operation: requests overtake each other at every await.
const store = new PointStore(new MemorySessionStore({ clock }), async () => {
  for (let left = turns++ % 4; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
})
const app = await createApplication(store, clock, faults).boot()
const mixed = await mixups(inProcess(app), Number(workerData))

parentPort?.postMessage({ mixed, faults: faults.map(String) }, [])
