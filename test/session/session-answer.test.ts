import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { BoundedSessionStore } from '../../src/session/bounded-session-store.ts'
import {
  MemorySessionStore,
  SessionPolicy,
  type SessionRecord,
  type SessionStore,
  SessionStoreException,
} from '../../src/session/index.ts'
import { accountOf, bootApplication, signIn } from '../services/session-application.ts'
import { type Operation, WrappedStore } from './wrapped-store.ts'

const LIFETIME = { createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER }
const NO_CHANGES = { set: new Map<string, string>(), removed: new Set<string>() }
const RECORD: SessionRecord = { data: new Map(), ended: false, successor: null, owner: null, ...LIFETIME }

/** Answers one operation with something else, after it was done or in place of it. */
class LyingStore extends WrappedStore {
  lie: { readonly about: Operation; readonly answer: unknown; readonly isDone: boolean } | null = null

  constructor() {
    super(new MemorySessionStore())
  }

  protected override async around<T>(
    operation: Operation,
    _: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    const { lie } = this
    if (lie?.about !== operation) return work()
    if (lie.isDone) await work()
    return lie.answer as T
  }
}

const NO_FLAGS: readonly unknown[] = [undefined, null, 0, 1, 'OK', '', {}, [], Number.NaN]
const NO_RECORDS: readonly (readonly [string, unknown])[] = [
  ['a number', 1],
  ['false', false],
  ['a string', 'L1 2'],
  ['a list', []],
  ['an object without anything', {}],
  ['entries that are no map', { ...RECORD, data: {} }],
  ['entries that are a proxy of a map', { ...RECORD, data: new Proxy(new Map([['_auth', '"ada"']]), {}) }],
  ['entries that are no strings', { ...RECORD, data: new Map([['_auth', { toString: () => '"ada"' }]]) }],
  ['keys that are no strings', { ...RECORD, data: new Map([[1, '1']]) }],
  ['an end that is a string', { ...RECORD, expiresAt: '9999999999999' }],
  ['an end that never comes', { ...RECORD, expiresAt: Number.POSITIVE_INFINITY }],
  ['a beginning that is not a number', { ...RECORD, createdAt: Number.NaN }],
  ['no word whether it has ended', { ...RECORD, ended: undefined }],
  ['a live one that has moved', { ...RECORD, successor: 'another' }],
  ['one that has moved to a number', { ...RECORD, ended: true, successor: 1 }],
  ['one of which nobody knows where it has moved', { ...RECORD, ended: true, successor: undefined }],
  ['an owner that is a number', { ...RECORD, owner: 42 }],
  ['a beginning that is a date', { ...RECORD, createdAt: new Date(0) }],
  ['no end', { ...RECORD, expiresAt: undefined }],
  [
    'entries of which one is no string',
    {
      ...RECORD,
      data: new Map<string, unknown>([
        ['a', '1'],
        ['b', 1],
      ]),
    },
  ],
  ['a function', Object.assign(() => undefined, RECORD)],
]

function lying(about: Operation, answer: unknown): BoundedSessionStore {
  const store = new LyingStore()
  store.lie = { about, answer, isDone: false }
  return new BoundedSessionStore(store, 5000)
}

describe('the results of an application’s store', () => {
  for (const answer of NO_FLAGS) {
    it(`${JSON.stringify(answer) ?? 'undefined'} is neither true nor false [HOLD-25]`, async () => {
      const refusal = { constructor: SessionStoreException, code: 'ERR_SESSION_STORE_ANSWER' }

      await assert.rejects(lying('update', answer).update('id', NO_CHANGES, LIFETIME), {
        ...refusal,
        message: 'update() of the session store returned neither true nor false',
      })
      await assert.rejects(lying('rotate', answer).rotate('id', 'to', NO_CHANGES, LIFETIME), {
        ...refusal,
        message: 'rotate() of the session store returned neither true nor false',
      })
    })
  }

  for (const [what, answer] of NO_RECORDS) {
    it(`${what} is not a record [HOLD-25]`, async () => {
      await assert.rejects(lying('read', answer).read('id'), {
        constructor: SessionStoreException,
        code: 'ERR_SESSION_STORE_MALFORMED',
      })
    })
  }

  it('entries of a class that extends Map are read without its methods [HOLD-25]', async () => {
    const fail = (): never => {
      throw new Error('not read')
    }
    class Entries extends Map<string, string> {
      override get = fail
      override has = fail
      override forEach = fail
      override entries = fail
      override [Symbol.iterator] = fail
    }
    const data = new Entries()
    Map.prototype.set.call(data, '_auth', '"ada"')

    const record = await lying('read', { ...RECORD, data }).read('id')

    assert.equal(record?.data.get('_auth'), '"ada"')
  })

  it('each member of a record is read once [HOLD-25]', async () => {
    let readings = 0
    const fickle = {
      ...RECORD,
      get data() {
        return readings++ === 0 ? new Map([['a', '1']]) : null
      },
    }

    const record = await lying('read', fickle).read('id')

    assert.deepEqual([record?.data.get('a'), record?.data.get('a'), readings], ['1', '1', 1])
  })

  it('a record, null and undefined from read(), and anything from create() and destroy(), are valid', async () => {
    assert.deepEqual(await lying('read', RECORD).read('id'), RECORD)
    assert.deepEqual(await lying('read', { ...RECORD, owner: undefined }).read('id'), RECORD)
    for (const successor of ['another', null]) {
      const tombstone = { ...RECORD, ended: true, successor }
      assert.deepEqual(await lying('read', tombstone).read('id'), tombstone)
    }
    const full = { ...RECORD, data: new Map([['a', '1']]) }
    assert.deepEqual(await lying('read', full).read('id'), full)
    assert.equal(await lying('read', null).read('id'), null)
    assert.equal(await lying('read', undefined).read('id'), null)
    assert.equal(await lying('create', true).create('id', new Map(), LIFETIME), undefined)
    assert.equal(await lying('destroy', true).destroy('id'), undefined)
  })
})

describe('the list of an application’s store', () => {
  for (const [what, answer] of [
    ['nothing', undefined],
    ['an object', {}],
    ['a list of numbers', [1]],
    ['a session without an id', [{ record: RECORD }]],
  ] as const) {
    it(`${what} is no list of sessions [ACCT-05 HOLD-25]`, async () => {
      await assert.rejects(lying('sessionsOf', answer).sessionsOf('owner'), {
        constructor: SessionStoreException,
        code: 'ERR_SESSION_STORE_MALFORMED',
      })
    })
  }

  it('a record that is none is malformed, and the others count [ACCT-05 HOLD-25]', async () => {
    const answer = [
      { id: 'a', record: { ...RECORD, data: {} } },
      { id: 'b', record: RECORD },
    ]

    assert.deepEqual(await lying('sessionsOf', answer).sessionsOf('owner'), [
      { id: 'a', record: null },
      { id: 'b', record: RECORD },
    ])
  })
})

describe('an application over a store with wrong results', () => {
  for (const isDone of [false, true]) {
    const when = isDone ? 'after it was done' : 'in place of it'

    for (const answer of [undefined, null, 1]) {
      it(`a login whose rotation returns ${answer}, ${when}, is a 503 and nobody is signed in [HOLD-20 HOLD-25]`, async () => {
        const store = new LyingStore()
        const app = await bootApplication(store)
        const ada = await signIn(app, 'ada')
        store.lie = { about: 'rotate', answer, isDone }

        const response = await ada.post('/login/bob')

        assert.equal(response.status, 503)
        assert.deepEqual(response.headers.getSetCookie(), [])
        store.lie = null
        assert.notEqual((await accountOf(ada)).name, 'bob')
      })

      it(`a logout whose rotation returns ${answer}, ${when}, is a 503 and not confirmed [HOLD-25]`, async () => {
        const store = new LyingStore()
        const ada = await signIn(await bootApplication(store), 'ada')
        store.lie = { about: 'rotate', answer, isDone }

        assert.equal((await ada.post('/logout')).status, 503)
      })

      it(`a value whose update returns ${answer}, ${when}, is a 503 [HOLD-25]`, async () => {
        const store = new LyingStore()
        const ada = await signIn(await bootApplication(store), 'ada')
        store.lie = { about: 'update', answer, isDone }

        assert.equal((await ada.post('/note/note1')).status, 503)
      })
    }
  }

  for (const [what, answer] of NO_RECORDS) {
    it(`a logout that lost its race and reads ${what} is a 503 [HOLD-25]`, async () => {
      const store = new LyingStore()
      const heard: unknown[] = []
      const app = await bootApplication(store, new SessionPolicy(), (error) => heard.push(error))
      const ada = await signIn(app, 'ada')
      const lost = store.rotate.bind(store)
      store.rotate = async (...moved) => {
        store.rotate = lost
        // Another request was quicker.
        await store.rotate(moved[0], 'elsewhere', NO_CHANGES, moved[3])
        store.lie = { about: 'read', answer, isDone: false }
        return store.rotate(...moved)
      }

      const response = await ada.post('/logout')

      assert.equal(response.status, 503)
      assert.deepEqual(
        heard.map((error) => ((error as Error).cause as SessionStoreException).code),
        ['ERR_SESSION_STORE_MALFORMED'],
      )
    })
  }

  it('an implementation that extends nothing is checked in the same way [HOLD-25]', async () => {
    const memory = new MemorySessionStore()
    const store = {
      read: (id: string) => memory.read(id),
      create: memory.create.bind(memory),
      update: () => undefined,
      rotate: () => 'yes',
      destroy: memory.destroy.bind(memory),
    } as unknown as SessionStore
    const ada = await signIn(await bootApplication(store), 'ada')

    assert.equal((await ada.post('/note/note1')).status, 503)
    assert.equal((await ada.post('/logout')).status, 503)
    assert.deepEqual(await accountOf(ada), { name: 'ada', notes: [] })
  })
})
