import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { HttpException } from 'sallyport/http'
import { type SessionRecord, SessionStoreException } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { SqliteSessionStore } from 'sallyport/session/sqlite'

import { FetchSource } from '../../src/http/internal.ts'
import { DEFAULT_INPUT_LIMITS, parseForm, readInput } from '../../src/input/internal.ts'
import type { Form } from '../../src/input/index.ts'
import { parseJson } from '../../src/input/json-body.ts'
import { entriesText, liveHead, parseRecord, tombstoneHead } from '../../src/session/redis-record.ts'
import { type Dice, fuzz, mutate } from './mutations.ts'

const LIMITS = { ...DEFAULT_INPUT_LIMITS, fields: 20, jsonDepth: 6 }
const LIFETIME = { createdAt: 1, expiresAt: 2 ** 50 }

function sourceOf(body: string, type: string): FetchSource {
  const headers = {
    'content-type': Buffer.from(type)
      .toString('latin1')
      .replace(/[\0\r\n]/g, '?'),
  }
  const init = { method: 'POST', headers, body: Buffer.from(body, 'latin1') }
  return new FetchSource(new Request('http://app.test/', init), { bodyBytes: 100_000 })
}

/** What the work gives; null where it refuses with a 4xx. */
async function orRefusal<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HttpException && error.status >= 400 && error.status < 500) return null
    throw error
  }
}

function pairsOf(form: Form): [string, unknown][] {
  return [...form.entries()].flatMap(([name, values]) =>
    values.map((value): [string, unknown] => [name, value]),
  )
}

/** Whether octets are UTF-8, as they are and when their escapes are read. */
function isText(body: string): boolean {
  const decoded = body.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return [body, decoded].every((octets) => isUtf8(Buffer.from(octets, 'latin1')))
}

/** The pairs of a body whose characters are its octets. The platform's own reader errs beside escapes that are none. */
function pairsOfBytes(body: string): [string, string][] {
  const read = (part: string): string =>
    Buffer.from(
      part
        .replaceAll('+', ' ')
        .replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        ),
      'latin1',
    ).toString()
  return body
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [read(name), read(value.join('='))]
    })
}

describe('fuzzing of bodies', () => {
  it('urlencoded forms: the pairs that the platform reads, or a 4xx for too many or for invalid bytes [HOLD-07]', async (t) => {
    await fuzz(t, {
      name: 'urlencoded form',
      sample: (dice) => {
        const pair = (): string => `${encodeURIComponent(dice.word(5).toWellFormed())}=${dice.word()}`
        return {
          body: octets(mutate(dice.some(24, pair, '&'), dice)),
          query: octets(mutate(dice.some(2, pair, '&'), dice)),
        }
      },
      check: async ({ body, query }) => {
        const source = sourceOf(body, 'application/x-www-form-urlencoded')
        const form = await orRefusal(() => parseForm(source, LIMITS))
        assert.equal(form === null, body.split('&').length > LIMITS.fields || !isText(body))
        if (form === null) return false
        const expected = pairsOfBytes(body)
        assert.deepEqual(pairsOf(form).sort(byText), expected.sort(byText))
        const input = await orRefusal(() => readInput({ source, query, form, limits: LIMITS }))
        assert.ok(input === null || Object.getPrototypeOf(input) === null)
        return input !== null
      },
    })
  })

  it('multipart forms: fields and files, or a 4xx', async (t) => {
    await fuzz(t, {
      name: 'multipart form',
      sample: (dice) => {
        const boundary = dice.pick(['b', '----x', 'a'.repeat(70)])
        const part = (): string =>
          `--${boundary}\r\n${partHead(dice)}\r\n\r\n${dice.once(5) ? `\r\n--${boundary}x` : dice.word(30)}\r\n`
        return {
          type: mutateSometimes(`multipart/form-data; boundary=${boundary}`, dice),
          body: octets(mutate(`${dice.some(6, part)}--${boundary}--\r\n`, dice)),
        }
      },
      check: async ({ type, body }) => {
        const form = await orRefusal(() => parseForm(sourceOf(body, type), LIMITS))
        if (form === null) return false
        const values = pairsOf(form)
        assert.ok(values.length <= LIMITS.fields)
        for (const [, value] of values) assert.ok(typeof value === 'string' || value instanceof File)
        return values.length > 0
      },
    })
  })

  it('JSON: what the platform reads without __proto__, or a 4xx', async (t) => {
    await fuzz(t, {
      name: 'JSON',
      sample: (dice) => mutateSometimes(JSON.stringify(valueOf(dice, 0)), dice),
      check: async (text) => {
        const bytes = Buffer.from(text)
        const value = await orRefusal(() => ({ read: parseJson(bytes, LIMITS) }))
        if (value === null) return false
        assert.ok(
          isDeepStrictEqual(
            value.read,
            withoutPrototype(JSON.parse(bytes.toString().replace(/^\ufeff/, ''))),
          ),
        )
        assert.ok(depthOf(value.read) <= LIMITS.jsonDepth)
        return true
      },
    })
  })
})

describe('fuzzing of stored sessions', () => {
  it('Redis: a record or a SyntaxError', async (t) => {
    await fuzz(t, {
      name: 'record of Redis',
      sample: (dice) => mutate(redisText(dice), dice),
      check: (text) => isRecord(() => parseRecord(text)),
    })
  })

  it('SQLite: a record, nothing, or what says that it is malformed [HOLD-25]', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-fuzz-'))
    const path = join(folder, 'sessions.sqlite')
    const store = new SqliteSessionStore({ path, durable: false })
    const database = new DatabaseSync(path)
    t.after(() => {
      database.close()
      store.close()
      rmSync(folder, { recursive: true, force: true })
    })
    database.exec('PRAGMA synchronous = OFF')
    await store.create('id', new Map(), LIFETIME)
    const write = database.prepare("UPDATE sallyport_session SET data = ?, ended = ? WHERE id = 'id'")
    await fuzz(t, {
      name: 'row of SQLite',
      sample: (dice) =>
        mutateSometimes(JSON.stringify(dice.once(5) ? valueOf(dice, 1) : textsOf(dice)), dice),
      check: async (text, dice) => {
        write.run(text.toWellFormed(), dice.below(2))
        return isRecord(() => store.read('id'))
      },
    })
  })

  it('PostgreSQL: a record, or what says that it is malformed [HOLD-25]', async (t) => {
    let data = ''
    const row = { successor: null, ended: false, created_at: 1, expires_at: 2 }
    const pool = { query: async () => ({ rows: [{ ...row, data }], rowCount: 1 }) }
    const store = new PostgresSessionStore(pool)
    await fuzz(t, {
      name: 'row of PostgreSQL',
      sample: (dice) => {
        const entries = Object.entries(textsOf(dice)).map(([key, text]) => [JSON.stringify(key), text])
        return mutateSometimes(
          JSON.stringify(dice.once(5) ? valueOf(dice, 1) : Object.fromEntries(entries)),
          dice,
        )
      },
      check: async (text) => {
        data = text
        return isRecord(() => store.read('id'))
      },
    })
  })
})

async function isRecord(read: () => SessionRecord | null | Promise<SessionRecord | null>): Promise<boolean> {
  let record: SessionRecord | null
  try {
    record = await read()
  } catch (error) {
    const isKnown = error instanceof SessionStoreException && error.code === 'ERR_SESSION_STORE_MALFORMED'
    assert.ok(isKnown || error instanceof SyntaxError, String(error))
    return false
  }
  assert.ok(record !== null)
  assert.ok(record.createdAt >= 0 && record.expiresAt >= 0)
  assert.ok(record.successor === null || (record.ended && typeof record.successor === 'string'))
  assert.ok(!record.ended || record.data.size === 0)
  for (const [key, text] of record.data) assert.deepEqual([typeof key, typeof text], ['string', 'string'])
  return true
}

function octets(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function mutateSometimes(text: string, dice: Dice): string {
  return dice.once(3) ? text : mutate(text, dice)
}

function partHead(dice: Dice): string {
  const name = `name="${mutate(dice.word(5), dice)}"`
  const file = dice.once(3) ? `; filename="${dice.word(6)}"` : ''
  const type = dice.once(3)
    ? `\r\nContent-Type: ${dice.pick(['text/plain', 'a/b; charset=utf-16', 'x'])}`
    : ''
  return mutateSometimes(`Content-Disposition: form-data; ${name}${file}${type}`, dice)
}

function valueOf(dice: Dice, depth: number): unknown {
  const kind = dice.below(depth > 5 ? 4 : 7)
  if (kind === 0) return dice.word()
  if (kind === 1) return dice.pick([0, -0, 1, -1.5, 1e300, 2 ** 53])
  if (kind < 4) return dice.pick([true, false, null, '__proto__'])
  const list = Array.from({ length: dice.below(5) }, () => valueOf(dice, depth + 1))
  if (kind < 6) return list
  return Object.fromEntries(list.map((value) => [dice.once(6) ? '__proto__' : dice.word(4), value]))
}

function textsOf(dice: Dice): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: dice.below(5) }, () => [dice.word(5), JSON.stringify(valueOf(dice, 3))]),
  )
}

function redisText(dice: Dice): string {
  if (dice.once(4)) return tombstoneHead(LIFETIME) + dice.word(43)
  return liveHead(LIFETIME) + entriesText(new Map(Object.entries(textsOf(dice))))
}

function withoutPrototype(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototype)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => key !== '__proto__')
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutPrototype(inner)]))
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function byText(one: readonly unknown[], other: readonly unknown[]): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
