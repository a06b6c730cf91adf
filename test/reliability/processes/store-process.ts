/**
 * One of several processes that hold one store open: does what its parent asks, with the parent's clock. Argument: the
 * address of the store.
 *
 * @module
 */
import { FrozenClock } from 'sallyport/testing'
import { openStore } from './open-store.ts'
import type { Call, Result } from './store-processes.ts'

const [address = ''] = process.argv.slice(2)
const clock = new FrozenClock()
let store = await openStore(address, clock)

async function answer({ number, milliseconds, run }: Call): Promise<void> {
  clock.set(new Date(milliseconds))
  let result: Result
  try {
    result = { number, value: await valueOf(run) }
  } catch (error) {
    result = { number, error: String(error) }
  }
  process.send?.(result)
}

async function valueOf([method, ...args]: Call['run']): Promise<unknown> {
  if (method !== 'reopen') {
    const operation = store[method] as (...given: unknown[]) => Promise<unknown>
    return operation.apply(store, args)
  }
  await store.close()
  store = await openStore(address, clock)
  return null
}

process.on('message', (call) => void answer(call as Call))
process.once('disconnect', () => void store.close())
process.send?.({ number: 0, value: null } satisfies Result)
