import { hash } from 'node:crypto'
import type { RedisCommands } from './redis-connection.ts'

/** A script that the server runs atomically. */
export interface RedisScript {
  /** Its source, in Lua. */
  readonly text: string
  /** SHA-1 of the source, by which the server caches the script. */
  readonly sha: string
}

// Guards against a command that a stalled server finds later: its request has been answered with a 503.
const LATE = String.raw`
if ARGV[1] ~= '' then
  local time = redis.call('TIME')
  if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[1]) then return redis.error_reply('LATE the request has been given up') end
end
`

/*
 * Arguments of the scripts that write a record: [1] the server time in milliseconds after which they must do nothing, or '';
 * [2] the current time by the store's clock, which decides what has expired.
 */
const PRELUDE = String.raw`
${LATE}local record = redis.call('GET', KEYS[1])
local function live()
  return record and string.byte(record) == 76 and tonumber(string.match(record, ' ([^ \30]+)')) > tonumber(ARGV[2])
end
`

/*
 * Arguments: [3] new head, [4] time to live in milliseconds, [5] entries to write, [6] the owner, [first...] keys written or
 * removed. The owner is one of
 *
 *   "-"                none from now on
 *   "=owner till"      this one from now on, under which the index names the record until then
 *   "?"                that of the record
 *   "?owner till"      that of the record, and if it is this one, the index names the record until then
 *
 * If the index does not name the record for as long as it will live, the script does nothing and returns the owner.
 */
const MERGE = String.raw`
local function ownership(isMoving)
  local kind = string.sub(ARGV[6], 1, 1)
  if kind == '-' then return '' end
  if kind == '=' then return ' ' .. string.sub(ARGV[6], 2) end
  local owner, till = string.match(record, '^L[^ \30]+ [^ \30]+ ([^ \30]+) ([^ \30]+)\30')
  if not owner then return '' end
  if owner == string.match(ARGV[6], '^.([^ ]+)') then return ' ' .. string.sub(ARGV[6], 2) end
  if isMoving or redis.call('TIME')[1] * 1000 + ARGV[4] > tonumber(till) then return nil, owner end
  return ' ' .. owner .. ' ' .. till
end
local function merged(first, owned)
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
  return ARGV[3] .. owned .. '\30' .. entries .. ARGV[5]
end
`

/**
 * Applies changes to a live record. Keys: the record. Touched keys from [7]. Returns 1, 0 when there is no live record, or the
 * owner.
 */
export const UPDATE: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not live() then return 0 end
local owned, owner = ownership(false)
if not owned then return owner end
redis.call('SET', KEYS[1], merged(7, owned), 'PX', ARGV[4])
return 1
`)

/**
 * Does the same, but only if the stored entries equal the expected ones. Further arguments: [7] the expected entries; touched
 * keys from [8]. Returns 1, 0 when there is no such record, or the owner.
 */
export const UPDATE_EXPECTED: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not live() then return 0 end
if string.sub(record, string.find(record, '\30', 1, true) + 1) ~= ARGV[7] then return 0 end
local owned, owner = ownership(false)
if not owned then return owner end
redis.call('SET', KEYS[1], merged(8, owned), 'PX', ARGV[4])
return 1
`)

/**
 * Moves a live record and leaves a tombstone. Keys: the record, its new key. Further arguments: [7] head of the tombstone,
 * [8] its time to live in milliseconds, [9] the new identifier; touched keys from [10]. Returns 1, 0 when there is no live
 * record, or the owner. A repeated call returns 1 again, so that a lost answer can be requested again.
 */
export const ROTATE: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not live() then
  local isMine = record and string.byte(record) == 69 and string.match(record, '\30(.*)$') == ARGV[9]
  if isMine and redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
  return 0
end
local owned, owner = ownership(true)
if not owned then return owner end
redis.call('SET', KEYS[2], merged(10, owned), 'PX', ARGV[4])
redis.call('SET', KEYS[1], ARGV[7] .. ARGV[9], 'PX', ARGV[8])
return 1
`)

/**
 * Ends a live or malformed record; another version may understand the latter. Keys: the record. Arguments: [3] the tombstone,
 * [4] its time to live in milliseconds. Returns 1, or 0 if it has ended.
 */
export const DESTROY: RedisScript = script(String.raw`${PRELUDE}
if not record or string.byte(record) == 69 then return 0 end
local expiry = string.byte(record) == 76 and tonumber(string.match(record, ' ([^ \30]+)') or '')
if expiry and expiry <= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
`)

/** Creates a record that the index names. Keys: the record. Arguments: [3] the record, [4] its time to live. Returns 1. */
export const CREATE: RedisScript = script(`${LATE}
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
`)

/**
 * Names a session in the index of its owner (see redis-account-index.ts), and drops what cannot be live any more. Keys: the
 * index. Arguments: [2] the session, [3] for how long, in milliseconds. Returns until when, by the server's clock.
 */
export const INDEX: RedisScript = script(String.raw`${LATE}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local till = string.format('%.0f', now + ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. string.format('%.0f', now))
redis.call('ZADD', KEYS[1], 'GT', till, ARGV[2] .. ' ' .. time[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return till
`)

/**
 * Reads a part of an index. Keys: the index. Arguments: the lowest score, how many members at most. Returns the time of the
 * server in seconds, and members with their scores, the lowest first.
 */
export const LIST: RedisScript = script(String.raw`
local members = redis.call('ZRANGE', KEYS[1], ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
table.insert(members, 1, redis.call('TIME')[1])
return members
`)

/** Drops members of an index. Keys: the index. Arguments: the members. */
export const DROP: RedisScript = script(`return redis.call('ZREM', KEYS[1], unpack(ARGV))`)

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
