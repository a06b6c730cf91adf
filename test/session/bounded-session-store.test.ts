import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { BoundedSessionStore } from '../../src/session/bounded-session-store.ts'
import {
  MemorySessionStore,
  SessionPolicy,
  type SessionStore,
  SessionStoreException,
} from '../../src/session/index.ts'
import { bootApplication, signIn } from '../services/session-application.ts'
import { proveSessionStore } from '../../src/testing/index.ts'
import { type Operation, WrappedStore } from './wrapped-store.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'
import { runModule } from '../services/module-process.ts'

const LIFETIME = { createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER }
const NO_CHANGES = { set: new Map<string, string>(), removed: new Set<string>() }

/** Never answers the operations that hang. */
class HangingStore extends WrappedStore {
  readonly hanging = new Set<Operation>()

  constructor() {
    super(new MemorySessionStore())
  }

  protected override around<T>(
    operation: Operation,
    _: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    return this.hanging.has(operation) ? new Promise(() => undefined) : work()
  }
}

const CALLS: Readonly<Record<Operation, (store: SessionStore) => Promise<unknown>>> = {
  read: (store) => store.read('id'),
  create: (store) => store.create('id', new Map(), LIFETIME),
  update: (store) => store.update('id', NO_CHANGES, LIFETIME),
  rotate: (store) => store.rotate('id', 'to', NO_CHANGES, LIFETIME),
  destroy: (store) => store.destroy('id'),
  sessionsOf: async (store) => store.sessionsOf?.('owner'),
}

const CALLERS = ['a', 'b', 'c', 'd'] as const

/** Answers some calls in an order: the others are given up, and so is one that comes behind them. */
async function assertGivenUp(answered: readonly string[]): Promise<void> {
  const memory = new MemorySessionStore()
  const answers = new Map<string, () => void>()
  memory.read = (id) => new Promise((resolve) => answers.set(id, () => resolve(null)))
  const store = new BoundedSessionStore(memory, 30)
  const outcome = (id: string): Promise<unknown> =>
    store.read(id).catch((error: unknown) => error instanceof SessionStoreException && error.code)
  const calls = CALLERS.map(outcome)

  for (const id of answered) {
    answers.get(id)?.()
    await Promise.resolve()
  }
  const outcomes = await Promise.all([...calls, outcome('later')])

  assert.deepEqual(
    outcomes,
    [...CALLERS, 'later'].map((id) => (answered.includes(id) ? null : 'ERR_SESSION_STORE_TIMEOUT')),
    answered.join(),
  )
}

/** Each order of each choice of some names, of none and of all. */
function ordersOf(names: readonly string[]): string[][] {
  return [
    [],
    ...names.flatMap((first) =>
      ordersOf(names.filter((name) => name !== first)).map((rest) => [first, ...rest]),
    ),
  ]
}

describe('BoundedSessionStore as a session store', () => {
  proveSessionStore((clock) => new BoundedSessionStore(new MemorySessionStore({ clock }), 5000))
})

describe('BoundedSessionStore', () => {
  for (const [operation, call] of Object.entries(CALLS) as [
    Operation,
    (store: SessionStore) => Promise<unknown>,
  ][]) {
    it(`times out ${operation}() when it takes too long [HOLD-26]`, async () => {
      const store = new HangingStore()
      store.hanging.add(operation)
      const started = performance.now()

      await assert.rejects(call(new BoundedSessionStore(store, 30)), {
        constructor: SessionStoreException,
        code: 'ERR_SESSION_STORE_TIMEOUT',
      })

      assert.ok(performance.now() - started >= 29)
    })
  }

  it('times out each of many calls at its own time, whatever ends in between [HOLD-26]', async () => {
    const hanging = new HangingStore()
    const store = new BoundedSessionStore(hanging, 60)
    const ages: number[] = []
    const calls: Promise<unknown>[] = []
    for (let round = 0; round < 4; round++) {
      hanging.hanging.add('read')
      const started = performance.now()
      calls.push(store.read('id').catch(() => ages.push(performance.now() - started)))
      hanging.hanging.delete('read')
      calls.push(store.read('id'))
      await pause(25)
    }

    await Promise.all(calls)

    assert.equal(ages.length, 4)
    for (const age of ages) assert.ok(age >= 59 && age < onThisMachine(2000), String(ages))
  })

  it('times out a call even if a late answer to an earlier one arrives in the meantime [HOLD-26]', async () => {
    const memory = new MemorySessionStore()
    const answers: (() => void)[] = []
    memory.read = () => new Promise((resolve) => answers.push(() => resolve(null)))
    const store = new BoundedSessionStore(memory, 30)
    await assert.rejects(store.read('first'), SessionStoreException)

    const second = assert.rejects(store.read('second'), SessionStoreException)
    answers[0]?.()

    await second
  })

  it('times out hanging calls, in whatever order the others are answered [HOLD-26]', async () => {
    await Promise.all(ordersOf(CALLERS).map(assertGivenUp))
  })

  it('times out a call that began later than another, when no call follows [HOLD-26]', async () => {
    const hanging = new HangingStore()
    hanging.hanging.add('read')
    const store = new BoundedSessionStore(hanging, 60)
    const first = assert.rejects(store.read('first'), SessionStoreException)
    await pause(40)
    const second = assert.rejects(store.read('second'), SessionStoreException)

    await first
    await second
  })

  it('wraps a thrown value that is not an error', async () => {
    const odd = new MemorySessionStore()
    // What a store of somebody else’s may do.
    odd.read = () => Promise.reject('no connection' as never)

    await assert.rejects(new BoundedSessionStore(odd, 1000).read('id'), {
      name: 'Error',
      cause: 'no connection',
    })
  })

  it('passes on the results and errors of the store, immediate or later', async () => {
    const odd = new MemorySessionStore()
    const store = new BoundedSessionStore(odd, 1000)
    odd.read = () => {
      throw new RangeError('at once')
    }
    await assert.rejects(store.read('id'), RangeError)
    odd.read = () => Promise.reject(new RangeError('later'))
    await assert.rejects(store.read('id'), RangeError)
    odd.read = (() => null) as never
    assert.equal(await store.read('id'), null)
  })

  it('does not keep the process alive, and keeps its limit while a call is pending', async () => {
    const url = (path: string): string =>
      JSON.stringify(new URL(`../../src/session/${path}`, import.meta.url).href)
    const script = `
      import { BoundedSessionStore } from ${url('bounded-session-store.ts')}
      import { MemorySessionStore } from ${url('index.ts')}
      const memory = new MemorySessionStore()
      const hanging = new BoundedSessionStore(Object.assign(memory, { read: () => new Promise(() => {}) }), 50)
      await hanging.read('id').catch((error) => console.log(error.code))
      // The timer of a call that has ended is still set, and bounds the next one.
      await hanging.destroy('id')
      await hanging.read('id').catch((error) => console.log(error.code))
      const late = hanging.read('id').catch((error) => console.log(error.code))
      // Nor does the end of one call let go of another.
      await hanging.destroy('id')
      await late
      await new BoundedSessionStore(new MemorySessionStore(), 60_000).read('id')
      const failing = Object.assign(new MemorySessionStore(), { read: () => Promise.reject(new Error('no')) })
      await new BoundedSessionStore(failing, 60_000).read('id').catch(() => undefined)
      console.log('end')`
    const started = performance.now()

    const { stdout } = await runModule(script)

    assert.equal(stdout, `${'ERR_SESSION_STORE_TIMEOUT\n'.repeat(3)}end\n`)
    assert.ok(performance.now() - started < onThisMachine(30_000))
  })
})

describe('an application over a third-party store that hangs', () => {
  for (const [operation, path] of [
    ['read', '/account'],
    ['update', '/note/note1'],
    ['rotate', '/logout'],
  ] as const) {
    it(`responds with 503 when ${operation}() hangs, and signs nobody in or out [HOLD-26]`, async () => {
      const store = new HangingStore()
      const app = await bootApplication(store, new SessionPolicy({ storeTimeoutMilliseconds: 40 }))
      const ada = await signIn(app, 'ada')
      store.hanging.add(operation)

      const response = operation === 'read' ? await ada.get(path) : await ada.post(path)

      assert.equal(response.status, 503)
      assert.deepEqual(response.headers.getSetCookie(), [])
      store.hanging.clear()
      assert.deepEqual(await (await ada.get('/account')).json(), { name: 'ada', notes: [] })
    })
  }
})
