import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { Pool } from 'pg'
import { createClient } from 'redis'
import type { App } from 'sallyport'
import { MemorySessionStore, type SessionRecord } from 'sallyport/session'
import type { TestClient } from 'sallyport/testing'

import { PostgresServer, withoutPostgres } from '../services/postgres-server.ts'
import { RedisServer, withoutRedis } from '../services/redis-server.ts'
import { accountOf, bootApplication, signIn } from '../services/session-application.ts'
import { openStore, type OpenStore } from './processes/open-store.ts'

/** Reaches what a store has stored behind its back; it holds one session. */
interface Ground extends AsyncDisposable {
  readonly store: OpenStore
  /** Replaces what is stored. */
  spoil(change: (stored: string) => string): Promise<void>
  /** Empties it. */
  clear(): Promise<void>
}

const RECORD_END = '\u001e'
const KEY_END = '\u001f'
const BEGAN = Date.now()
const FUTURE = 4_000_000_000_000

async function heardDuring(work: () => Promise<void>): Promise<unknown[]> {
  const heard: unknown[] = []
  const listener = (message: unknown): void => void heard.push(message)
  subscribe('sallyport:session-malformed', listener)
  try {
    await work()
  } finally {
    unsubscribe('sallyport:session-malformed', listener)
  }
  return heard
}

// Anonymous, and able to begin anew; or a 503. Never an error of ours, and never somebody.
async function assertHarmless(client: TestClient, what: string): Promise<void> {
  const heard = await heardDuring(async () => {
    const page = await client.get('/account')
    assert.ok([200, 503].includes(page.status), `${page.status} for ${what}`)
    if (page.status === 200) assert.equal(((await page.json()) as { name: unknown }).name, null, what)
    const note = await client.post('/note/note1')
    assert.ok([204, 503].includes(note.status), `${note.status} for ${what}`)
    const logout = await client.post('/logout')
    assert.ok([204, 503].includes(logout.status), `${logout.status} for ${what}`)
    if (page.status === 503) return
    const login = await client.post('/login/bob')
    assert.equal(login.status, 204, what)
    assert.equal((await accountOf(client)).name, 'bob', what)
  })
  assert.ok(heard.length > 0, `nobody is told of ${what}`)
}

function testMalformed(open: () => Promise<Ground>, garbage: readonly string[]): void {
  let ground: Ground
  let app: App
  before(async () => {
    ground = await open()
    app = await bootApplication(ground.store)
  })
  after(() => ground[Symbol.asyncDispose]())

  for (const stored of garbage) {
    it(`an invalid session is anonymous: ${JSON.stringify(stored)} [HOLD-25]`, async () => {
      await ground.clear()
      const ada = await signIn(app, 'ada')

      await ground.spoil(() => stored)

      await assertHarmless(ada, stored)
    })

    it(`a logout ends what another version may read: ${JSON.stringify(stored)} [HOLD-25]`, async () => {
      await ground.clear()
      const ada = await signIn(app, 'ada')
      await ground.spoil(() => stored)

      const logout = await ada.post('/logout')

      assert.equal(logout.status, 204)
      await ground.spoil((left) => {
        assert.notEqual(left, stored)
        return left
      })
    })
  }
}

/** Declares the fuzz: small changes of what is stored. `quote` gives an identity as it stands there. */
function testMutations(open: () => Promise<Ground>, quote: (name: string) => string): void {
  it('no small change of a record is an internal error, or another user’s identity [HOLD-25]', async () => {
    await using ground = await open()
    const app = await bootApplication(ground.store)
    for (let seed = 1; seed <= 300; seed++) {
      await ground.clear()
      const ada = await signIn(app, 'ada')
      let spoilt = ''
      await ground.spoil((stored) => {
        spoilt = mutated(stored, seed)
        return spoilt
      })
      const what = `seed ${seed}: ${JSON.stringify(spoilt)}`
      const page = await ada.get('/account')
      assert.ok([200, 503].includes(page.status), `${page.status} for ${what}`)
      const { name } = page.status === 200 ? ((await page.json()) as { name: string | null }) : { name: null }
      assert.ok(name === null || spoilt.includes(quote(name)), what)
      const note = await ada.post('/note/note1')
      assert.ok([204, 503].includes(note.status), `${note.status} for ${what}`)
    }
  })
}

const CHARACTERS = `{}[]",:\\${RECORD_END}${KEY_END}LE 09x\u0000`

function mutated(stored: string, seed: number): string {
  let state = seed
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let text = stored
  for (let edits = next(3); edits >= 0; edits--) {
    const at = next(text.length + 1)
    const cut = next(3)
    const inserted = next(3) === 0 ? '' : (CHARACTERS[next(CHARACTERS.length)] ?? '')
    text = text.slice(0, at) + inserted + text.slice(at + cut)
  }
  return text
}

const sqlite = async (): Promise<Ground> => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-malformed-'))
  const path = join(folder, 'sessions.sqlite')
  const store = await openStore(path)
  const database = new DatabaseSync(path)
  return {
    store,
    spoil: async (change) => {
      const row = database.prepare('SELECT data FROM sallyport_session').get() as { data: string }
      database.prepare('UPDATE sallyport_session SET data = ?').run(change(row.data))
    },
    clear: async () => database.exec('DELETE FROM sallyport_session'),
    [Symbol.asyncDispose]: async () => {
      database.close()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const redis = async (): Promise<Ground> => {
  const server = await RedisServer.start()
  const store = await openStore(server.url)
  const client = createClient({ url: server.url })
  await client.connect()
  return {
    store,
    spoil: async (change) => {
      // Beside the session is the list of its account.
      const [key = ''] = await client.keys('{*}:*')
      await client.set(key, change((await client.get(key)) ?? ''))
    },
    clear: async () => void (await client.flushDb()),
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      await store.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const postgres = async (): Promise<Ground> => {
  const server = await PostgresServer.start()
  const store = await openStore(server.url)
  const pool = new Pool({ connectionString: server.url })
  pool.on('error', () => undefined)
  return {
    store,
    spoil: async (change) => {
      const { rows } = await pool.query<{ data: string }>('SELECT data::text AS data FROM sallyport_session')
      await pool.query('UPDATE sallyport_session SET data = $1', [change(rows[0]?.data ?? '')])
    },
    clear: async () => void (await pool.query('DELETE FROM sallyport_session')),
    [Symbol.asyncDispose]: async () => {
      await pool.end()
      await store.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('a malformed session in SQLite', () => {
  testMalformed(sqlite, [
    '',
    'x',
    '{',
    '5',
    'true',
    '[]',
    '{"_auth":5}',
    '{"_auth":null}',
    '{"_auth":["ada"]}',
    '{"_auth":"ada"}',
    String.raw`{"_auth":"\"ada"}`,
    String.raw`{"_auth":"\"a\"da\""}`,
    String.raw`{"_auth":"'ada'"}`,
    '{"_auth":""}',
  ])
  testMutations(sqlite, (name) => JSON.stringify(JSON.stringify(name).slice(1, -1)).slice(1, -1))
})

describe('a malformed session in Redis', { skip: withoutRedis }, () => {
  testMalformed(redis, [
    '',
    'x',
    'L',
    `L${BEGAN} ${FUTURE}`,
    `Lx ${FUTURE}${RECORD_END}`,
    `L${BEGAN} ${FUTURE}${RECORD_END}"_auth"${KEY_END}"ada"`,
    `L${BEGAN} ${FUTURE}${RECORD_END}_auth${KEY_END}"ada"${RECORD_END}`,
    `L${BEGAN} ${FUTURE}${RECORD_END}"_\\u12auth"${KEY_END}"ada"${RECORD_END}`,
    `L${BEGAN} ${FUTURE}${RECORD_END}"_auth"${KEY_END}ada${RECORD_END}`,
    `L${BEGAN} ${FUTURE}${RECORD_END}"_auth"${KEY_END}"a"da"${RECORD_END}`,
    `L${BEGAN} ${FUTURE}${RECORD_END}"_auth"${KEY_END}${RECORD_END}`,
  ])
  testMutations(redis, (name) => JSON.stringify(name))
})

describe('a malformed session in PostgreSQL', { skip: withoutPostgres }, () => {
  testMalformed(postgres, [
    '5',
    'null',
    '"x"',
    '[]',
    String.raw`{"\"_auth\"":5}`,
    String.raw`{"\"_auth\"":["\"ada\""]}`,
    String.raw`{"_auth":"\"ada\""}`,
    String.raw`{"5":"\"ada\""}`,
    String.raw`{"\"_auth\"":"ada"}`,
    String.raw`{"\"_auth\"":"\"a\"da\""}`,
  ])
})

describe('a malformed session of a third-party store', () => {
  const live = {
    data: new Map([['_auth', '"ada"']]),
    ended: false,
    successor: null,
    createdAt: BEGAN,
    expiresAt: FUTURE,
  }
  for (const [what, record] of Object.entries({
    'a text': 'x',
    'a list': [],
    'nothing in it': {},
    'entries in an object': { ...live, data: { _auth: '"ada"' } },
    'no entries': { ...live, data: null },
    'times as texts': { ...live, expiresAt: String(FUTURE) },
    'times that are no numbers': { ...live, createdAt: Number.NaN },
    'no end': { ...live, ended: undefined },
    'an odd successor': { ...live, successor: 5 },
    'an entry that is a number': { ...live, data: new Map<string, unknown>([['_auth', 5]]) },
    'an entry that is an object': {
      ...live,
      data: new Map<string, unknown>([['_auth', { toString: () => '"ada"' }]]),
    },
    'a key that is a number': { ...live, data: new Map<unknown, string>([[5, '"ada"']]) },
    'an entry that is no JSON': { ...live, data: new Map([['_auth', 'ada']]) },
  })) {
    it(`is anonymous, whatever it returns: ${what} [HOLD-25]`, async () => {
      class OddStore extends MemorySessionStore {
        isOdd = false
        override async read(id: string): Promise<SessionRecord | null> {
          return this.isOdd ? (record as unknown as SessionRecord) : super.read(id)
        }
      }
      const store = new OddStore()
      const app = await bootApplication(store)
      const ada = await signIn(app, 'ada')
      store.isOdd = true

      const heard = await heardDuring(async () => {
        const page = await ada.get('/account')
        assert.equal(page.status, 200)
        assert.equal(((await page.json()) as { name: unknown }).name, null)
        assert.equal((await ada.post('/note/note1')).status, 204)
      })

      assert.ok(heard.length > 0)
    })
  }
})
