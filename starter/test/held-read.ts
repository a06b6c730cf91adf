import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { World } from './support.ts'

/** Starts a request, does something else when its session has been read, and lets it go on. */
export async function duringRequest(
  { world, test }: { readonly world: World; readonly test: TestContext },
  slow: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const read = world.store.read.bind(world.store)
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isNext = true
  const held = test.mock.method(world.store, 'read', async (id: string) => {
    const record = await read(id)
    if (!isNext) return record
    isNext = false
    reached.resolve()
    await opened.promise
    return record
  })
  const request = slow()
  await reached.promise
  await meanwhile()
  opened.resolve()
  await request
  held.mock.restore()
  assert.deepEqual(world.faults, [])
}
