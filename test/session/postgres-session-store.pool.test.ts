import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SessionStoreException } from '../../src/session/index.ts'
import type { PostgresPool } from '../../src/session/postgres-session-store.ts'
import { PostgresSessionStore } from '../../src/session/postgres.ts'
import { FrozenClock } from '../../src/testing/index.ts'

const noChanges = { set: new Map<string, string>(), removed: new Set<string>() }
const oneChange = { set: new Map([['a', '2']]), removed: new Set<string>() }

function lifetime(milliseconds = 60_000): { createdAt: number; expiresAt: number } {
  const now = Date.now()
  return { createdAt: now, expiresAt: now + milliseconds }
}

describe('PostgresSessionStore with a scripted pool', () => {
  for (const [changed, late, outcome] of [
    [1, false, true],
    [1, true, true],
    [0, false, false],
    [0, true, 'ERR_SESSION_STORE_TIMEOUT'],
  ] as const) {
    it(`treats ${changed} row${late ? ', at the last moment,' : ''} as ${outcome}`, async () => {
      const told: PostgresPool = {
        query: ({ text }) =>
          Promise.resolve({ rows: [text.includes('AS now') ? { now: 0 } : { changed, late }], rowCount: 1 }),
      }
      const update = new PostgresSessionStore(told).update('id', oneChange, lifetime())

      if (typeof outcome === 'boolean') assert.equal(await update, outcome)
      else await assert.rejects(update, { code: outcome })
    })
  }

  it('gives the server four fifths of the time, by the better of two readings of its clock', async () => {
    const answers = [900_000, 500_000]
    let notAfter: unknown
    const told: PostgresPool = {
      query({ text, values = [] }) {
        if (text.includes('AS now')) return Promise.resolve({ rows: [{ now: answers.shift() }], rowCount: 1 })
        if (text.includes(' SET data')) notAfter = values[2]
        return Promise.resolve({ rows: [{ changed: 1, late: false }], rowCount: 1 })
      },
    }
    const begun = performance.now()

    await new PostgresSessionStore(told, { timeoutMilliseconds: 1000 }).update('id', oneChange, lifetime())

    const passed = performance.now() - begun
    assert.ok(typeof notAfter === 'number')
    assert.ok(Math.abs(notAfter - 500_800) <= passed, `${notAfter} after ${passed} ms`)
    assert.deepEqual(answers, [])
  })

  it('continues sweeping by the new clock [HOLD-50]', async () => {
    const clock = new FrozenClock()
    const sweeps: unknown[] = []
    const told: PostgresPool = {
      query({ text, values = [] }) {
        if (text.includes('AS now')) return Promise.resolve({ rows: [{ now: 0 }], rowCount: 1 })
        const isSweep = text.startsWith('DELETE') || text.startsWith('WITH expired')
        if (isSweep) sweeps.push(values[0])
        // Set back during the first statement, and again during the second, after which there is more to sweep.
        if (isSweep && sweeps.length <= 2) clock.advance(-3600)
        const rowCount = isSweep && sweeps.length === 2 ? 1000 : 1
        return Promise.resolve({ rows: [{ id: 'x', changed: 1, late: false }], rowCount })
      },
    }
    const begin = clock.milliseconds()
    const store = new PostgresSessionStore(told, { clock })

    await store.create('id', new Map(), { createdAt: begin, expiresAt: begin + 1000 })
    await store.close()

    assert.deepEqual(
      sweeps.map((now) => (begin - Number(now)) / 3_600_000),
      [0, 1, 2, 2],
    )
  })

  it('sweeps with the first write and then once a minute', async () => {
    const clock = new FrozenClock()
    const sweeps: unknown[] = []
    const told: PostgresPool = {
      query({ text, values = [] }) {
        if (text.includes('AS now')) return Promise.resolve({ rows: [{ now: 0 }], rowCount: 1 })
        if (text.startsWith('DELETE')) sweeps.push(values)
        return Promise.resolve({ rows: [{ id: 'x', changed: 1, late: false }], rowCount: 7 })
      },
    }
    const store = new PostgresSessionStore(told, { clock })
    const begin = clock.milliseconds()
    const counts: number[] = []
    for (const seconds of [0, 0, 59.999, 0.001, 0, 60]) {
      clock.advance(seconds)
      await store.update('id', noChanges, lifetime())
      await store.close()
      counts.push(sweeps.length)
    }

    assert.deepEqual(counts, [1, 1, 1, 2, 2, 3])
    assert.deepEqual(sweeps, [
      [begin, begin + 60_000, ['x']],
      [begin + 60_000, begin + 120_000, ['x']],
      [begin + 120_000, begin + 180_000, ['x']],
    ])
  })

  it('asks once for a rotation whose connection is lost when its time is over', async () => {
    let rotations = 0
    const failing: PostgresPool = {
      query(query) {
        if (query.text.includes('AS now'))
          return Promise.resolve({ rows: [{ now: Date.now() }], rowCount: 1 })
        rotations++
        const end = performance.now() + 60
        while (performance.now() < end);
        return Promise.reject(new Error('Connection terminated unexpectedly'))
      },
    }
    const failed = new PostgresSessionStore(failing, { timeoutMilliseconds: 50 })

    await assert.rejects(failed.rotate('id', 'to', noChanges, lifetime()), {
      code: 'ERR_SESSION_STORE_UNREACHABLE',
    })

    assert.equal(rotations, 1)
  })
})

describe('PostgresSessionStore with a pool that loses the answer to a rotation', () => {
  for (const [prepared, found] of [
    [true, 1],
    [false, 0],
  ] as const) {
    it(`checks whether it was done, ${prepared ? 'with statements that are prepared by name' : 'without names'}`, async () => {
      const names: (string | undefined)[] = []
      let isLost = false
      const lossy: PostgresPool = {
        query({ name, text }) {
          if (text.includes('AS now')) return Promise.resolve({ rows: [{ now: Date.now() }], rowCount: 1 })
          names.push(name)
          const isRotation = text.includes('tombstone')
          if (isRotation && !isLost) {
            isLost = true
            return Promise.reject(new Error('Connection terminated unexpectedly'))
          }
          const rowCount = text.startsWith('SELECT FROM') ? found : 1
          return Promise.resolve({ rows: [{ changed: isRotation ? 0 : 1, late: false }], rowCount })
        },
      }
      const store = new PostgresSessionStore(lossy, { table: 'app.sessions', prepared })

      await store.create('id', new Map(), lifetime())
      await store.update('id', noChanges, lifetime())
      await store.update('id', oneChange, lifetime())
      const isRotated = await store.rotate('id', 'to', noChanges, lifetime())
      await store.destroy('to')
      await store.close()

      assert.equal(isRotated, found === 1)
      const used = [
        'create',
        'outdated',
        'sweep',
        'touch',
        'update',
        'rotate',
        'rotate',
        'rotated',
        'destroy_all',
      ]
      assert.deepEqual(
        names,
        used.map((name) => (prepared ? `app.sessions.${name}` : undefined)),
      )
    })
  }

  for (const [message, code] of [
    ['Query read timeout', 'ERR_SESSION_STORE_TIMEOUT'],
    ['timeout exceeded when trying to connect', 'ERR_SESSION_STORE_TIMEOUT'],
    ['Connection terminated due to connection timeout', 'ERR_SESSION_STORE_TIMEOUT'],
    ['Connection terminated unexpectedly', 'ERR_SESSION_STORE_UNREACHABLE'],
    ['connect ECONNREFUSED', 'ERR_SESSION_STORE_UNREACHABLE'],
  ] as const) {
    it(`is one exception, whoever timed out first: ${message} [HOLD-26]`, async () => {
      const cause = new Error(message)
      const store = new PostgresSessionStore({ query: () => Promise.reject(cause) })

      for (const work of [() => store.read('id'), () => store.update('id', noChanges, lifetime())])
        await assert.rejects(work(), { constructor: SessionStoreException, code, cause })
    })
  }
})
