import { hash } from 'node:crypto'

/** A script that the server runs atomically. */
export interface RedisScript {
  /** Its source, in Lua. */
  readonly text: string
  /** SHA-1 of the source, by which the server caches the script. */
  readonly sha: string
}

/*
 * Arguments of every script: [1] the server time in milliseconds after which it must do nothing, or ''; [2] the current time
 * by the store's clock, which decides what has expired.
 *
 * The first guards against a command that a stalled server finds later: its request has been answered with a 503.
 */
const PRELUDE = String.raw`
if ARGV[1] ~= '' then
  local time = redis.call('TIME')
  if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[1]) then return redis.error_reply('LATE the request has been given up') end
end
local record = redis.call('GET', KEYS[1])
local function live()
  return record and string.byte(record) == 76 and tonumber(string.match(record, ' ([^\30]+)')) > tonumber(ARGV[2])
end
`

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

/** Applies changes to a live record. Keys: the record. Touched keys from [6]. Returns 1, or 0 when there is no live record. */
export const UPDATE: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not live() then return 0 end
redis.call('SET', KEYS[1], merged(6), 'PX', ARGV[4])
return 1
`)

/**
 * Does the same, but only if the stored entries equal the expected ones. Further arguments: [6] the expected entries; touched
 * keys from [7]. Returns 1, or 0 when there is no such record.
 */
export const UPDATE_EXPECTED: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not live() then return 0 end
if string.sub(record, string.find(record, '\30', 1, true) + 1) ~= ARGV[6] then return 0 end
redis.call('SET', KEYS[1], merged(7), 'PX', ARGV[4])
return 1
`)

/**
 * Moves a live record and leaves a tombstone. Keys: the record, its new key. Further arguments: [6] head of the tombstone,
 * [7] its time to live in milliseconds, [8] digest of the new identifier; touched keys from [9]. Returns 1, or 0 when there
 * is no live record. A repeated call returns 1 again, so that a lost answer can be requested again.
 */
export const ROTATE: RedisScript = script(String.raw`${PRELUDE}${MERGE}
if not live() then
  local isMine = record and string.byte(record) == 69 and string.match(record, '\30(.*)$') == ARGV[8]
  if isMine and redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
  return 0
end
redis.call('SET', KEYS[2], merged(9), 'PX', ARGV[4])
redis.call('SET', KEYS[1], ARGV[6] .. ARGV[8], 'PX', ARGV[7])
return 1
`)

/**
 * Ends a live or malformed record; another version may understand the latter. Keys: the record. Arguments: [3] the
 * tombstone, [4] its time to live in milliseconds. Returns 1, or 0 if there is no record or it has ended.
 */
export const DESTROY: RedisScript = script(String.raw`${PRELUDE}
if not record or string.byte(record) == 69 then return 0 end
local expiry = string.byte(record) == 76 and tonumber(string.match(record, ' ([^\30]+)') or '')
if expiry and expiry <= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
`)

function script(text: string): RedisScript {
  return { text, sha: hash('sha1', text, 'hex') }
}
