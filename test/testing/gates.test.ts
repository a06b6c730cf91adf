import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MemorySessionStore, SessionStore } from '../../src/session/index.ts'
import { Gates } from '../../src/testing/index.ts'

class Counter {
  #count = 0

  get count(): number {
    return this.#count
  }

  peek(): number {
    return this.#count
  }

  async add(by: number): Promise<number> {
    this.#count += by
    return this.#count
  }

  async refuse(): Promise<never> {
    throw new RangeError('no')
  }
}

describe('Gates', () => {
  it('passes calls, members and errors on to the object', async () => {
    const gates = new Gates(new Counter())

    assert.equal(await gates.target.add(2), 2)
    assert.equal(gates.target.count, 2)
    assert.equal(gates.target.peek(), 2)
    await assert.rejects(gates.target.refuse(), RangeError)
    assert.deepEqual(gates.calls, ['add', 'peek', 'refuse'])
    gates.forget()
    assert.deepEqual(gates.calls, [])
  })

  it('is an instance of what it stands for', () => {
    assert.ok(new Gates<SessionStore>(new MemorySessionStore()).target instanceof SessionStore)
  })

  it('holds a call before it has any effect', async () => {
    const counter = new Counter()
    const gates = new Gates(counter)
    const gate = gates.hold('add')

    const adding = gates.target.add(1)
    await gate.reached()
    await nextTurn()
    assert.equal(counter.count, 0)
    gate.release()

    assert.equal(await adding, 1)
  })

  it('holds the result of a call that has taken effect', async () => {
    const counter = new Counter()
    const gates = new Gates(counter)
    const gate = gates.hold('add', { side: 'after' })
    let answered = false

    const adding = gates.target.add(1).then((count) => {
      answered = true
      return count
    })
    await gate.reached()
    await nextTurn()
    assert.equal(counter.count, 1)
    assert.equal(answered, false)
    gate.release()

    assert.equal(await adding, 1)
  })

  it('holds one call of the named method, after those that it skips', async () => {
    const counter = new Counter()
    const gates = new Gates(counter)
    const gate = gates.hold('add', { skip: 1 })

    await gates.target.add(1)
    const held = gates.target.add(10)
    await gate.reached()
    await gates.target.add(100)
    assert.equal(counter.count, 101)
    gate.release()

    assert.equal(await held, 111)
  })

  it('holds as many calls as there are gates, in their order', async () => {
    const gates = new Gates(new Counter())
    const [first, second] = [gates.hold('add'), gates.hold('add')]

    const one = gates.target.add(1)
    const two = gates.target.add(2)
    await Promise.all([first.reached(), second.reached()])
    second.release()
    assert.equal(await two, 2)
    first.release()

    assert.equal(await one, 3)
  })

  it('fails a call before its effect, or loses its answer', async () => {
    const counter = new Counter()
    const gates = new Gates(counter)
    gates.hold('add').fail(new Error('refused'))
    await assert.rejects(gates.target.add(1), /refused/)
    assert.equal(counter.count, 0)

    gates.hold('add', { side: 'after' }).fail(new Error('lost'))
    await assert.rejects(gates.target.add(1), /lost/)
    assert.equal(counter.count, 1)
  })

  it('names the calls when none comes', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const gates = new Gates(new Counter())
    await gates.target.add(1)
    const gate = gates.hold('refuse')

    const waiting = gate.reached()
    t.mock.timers.tick(5000)

    await assert.rejects(waiting, /^Error: refuse\(\) was not called within 5000 ms; called: add$/)
  })
})
