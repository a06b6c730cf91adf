import { hash } from 'node:crypto'
import type { RedisCommands } from './redis-connection.ts'
import { TOMBSTONE_MILLISECONDS } from './session-store.ts'

/** A script that the server runs atomically. */
export interface RedisScript {
  /** Its source, in Lua. */
  readonly text: string
  /** SHA-1 of the source, by which the server caches the script. */
  readonly sha: string
}

/** Result of a script that found no record under its keys. */
export const MISSING = -1

/*
 * Arguments of every script: [1] the server time in milliseconds after which it must do nothing, or ''; [2] the current time
 * by the store's clock, which decides what has expired.
 *
 * The first guards against a command that a stalled server finds later: its request has been answered with a 503.
 *
 * The last key of a script may be the former key of the record (see redis-keys.ts). If the record is there, the script reads
 * it, writes under the new key, and leaves a tombstone under the former one that names the new: a tombstone of a former
 * version may name the bare digest as its successor. On a cluster this key is left out, because it is in another slot.
 */
const prelude = (former: string): string => String.raw`
if ARGV[1] ~= '' then
  local time = redis.call('TIME')
  if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[1]) then return redis.error_reply('LATE the request has been given up') end
end
local record = redis.call('GET', KEYS[1])
local former = not record and ${former} and redis.call('GET', ${former})
if former then record = former end
local function live()
  return record and string.byte(record) == 76 and tonumber(string.match(record, ' ([^\30]+)')) > tonumber(ARGV[2])
end
local function move()
  if not former then return end
  local group, digest = string.match(KEYS[1], ':(..)}:(.+)$')
  local head = 'E' .. ARGV[2] .. ' ' .. string.format('%.0f', ARGV[2] + ${String(TOMBSTONE_MILLISECONDS)}) .. '\30'
  redis.call('SET', ${former}, head .. group .. digest, 'PX', ${String(TOMBSTONE_MILLISECONDS)})
end
`
const PRELUDE = prelude('KEYS[2]')

// Arguments: [3] new head, [4] time to live in milliseconds, [5] entries to write, [first...] keys written or removed.
const MERGE = String.raw`
local function merged(first)
  local entries = string.sub(record, string.find(record, '\30', 1, true) + 1)
  if #ARGV >= first then
    local touched = {}
    for i = first, #ARGV do touched[ARGV[i]] = true end
    local kept = {}
    for entry, key in string.gmatch(entries, '(([^\31]*)\31[^\30]*\30)') do
      if not touched[key] then kept[#kept + 1] = entry end
    end
    entries = table.concat(kept)
  end
  return ARGV[3] .. entries .. ARGV[5]
end
`

/** Reads a record. Keys: the record, its former key. */
export const READ: RedisScript = script(`return redis.call('GET', KEYS[1]) or redis.call('GET', KEYS[2])`)

/**
 * Applies changes to a live record. Keys: the record, and optionally its former key. Touched keys from [6]. Returns 1, 0 when
 * there is no live record, or {@link MISSING}.
 */
export const UPDATE: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not record then return -1 end
if not live() then return 0 end
redis.call('SET', KEYS[1], merged(6), 'PX', ARGV[4])
move()
return 1
`)

/**
 * Does the same, but only if the stored entries equal the expected ones. Further arguments: [6] the expected entries; touched
 * keys from [7]. Returns 1, 0 when there is no such record, or {@link MISSING}.
 */
export const UPDATE_EXPECTED: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not record then return -1 end
if not live() then return 0 end
if string.sub(record, string.find(record, '\30', 1, true) + 1) ~= ARGV[6] then return 0 end
redis.call('SET', KEYS[1], merged(7), 'PX', ARGV[4])
move()
return 1
`)

/**
 * Moves a live record and leaves a tombstone. Keys: the record, its new key, and optionally the former key of the record.
 * Further arguments: [6] head of the tombstone, [7] its time to live in milliseconds, [8] the new identifier; touched keys
 * from [9]. Returns 1, 0 when there is no live record, or {@link MISSING}. A repeated call returns 1 again, so that a lost
 * answer can be requested again.
 */
export const ROTATE: RedisScript = script(String.raw`${prelude('KEYS[3]')}${MERGE}
if not record then return -1 end
if not live() then
  local isMine = record and string.byte(record) == 69 and string.match(record, '\30(.*)$') == ARGV[8]
  if isMine and redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
  return 0
end
redis.call('SET', KEYS[2], merged(9), 'PX', ARGV[4])
redis.call('SET', KEYS[1], ARGV[6] .. ARGV[8], 'PX', ARGV[7])
move()
return 1
`)

/**
 * Ends a live or malformed record; another version may understand the latter. Keys: the record, and optionally its former
 * key. Arguments: [3] the tombstone, [4] its time to live in milliseconds. Returns 1, 0 if it has ended, or {@link MISSING}.
 */
export const DESTROY: RedisScript = script(String.raw`${PRELUDE}
if not record then return -1 end
if string.byte(record) == 69 then return 0 end
local expiry = string.byte(record) == 76 and tonumber(string.match(record, ' ([^\30]+)') or '')
if expiry and expiry <= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
move()
return 1
`)

/**
 * Runs a script by its SHA-1; a server that does not know it, because it was restarted, is fresh or was failed over to,
 * gets its source.
 *
 * @param client The connection.
 * @param script The script.
 * @param call Keys and arguments.
 * @param call.keys Keys, all of one slot.
 * @param call.arguments Arguments.
 * @returns The result of the script.
 * @throws {Error} If the connection is lost or the server refuses.
 */
export async function evaluate(
  client: RedisCommands,
  { sha, text }: RedisScript,
  call: { keys: string[]; arguments: string[] },
): Promise<unknown> {
  try {
    return await client.evalSha(sha, call)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return await client.eval(text, call)
  }
}

function script(text: string): RedisScript {
  return { text, sha: hash('sha1', text, 'hex') }
}
