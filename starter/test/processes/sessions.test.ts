import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Closing } from 'sallyport-app/testing'
import { missing } from '../facts-of-parts.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { DOOR, isIn, Site } from './site.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const DELAYS = [0, 0, 0, 1, 1, 2, 2, 4, 8, 16]
const ROUNDS = NIGHTLY ? 20 : 1
const [CODES, SESSIONS] = ['/account/recovery-codes', '/account/sessions']
const OTHERS = `${SESSIONS}/others`

describe('two sessions of an account, each in a process of its own', { skip: missing('sessions') }, () => {
  const closing = new Closing()
  let site: Site
  before(async () => {
    site = await Site.open(closing)
  })
  after(() => closing.close())

  async function signedIn(): Promise<readonly [Client, Client]> {
    const [one, other] = await site.pending(2, DOOR)
    assert.ok(one !== undefined && other !== undefined)
    for (const client of [one, other]) {
      await site.renew()
      assert.ok(isIn(await client.submit(DOOR, { code: site.code })))
    }
    return [one, other]
  }

  for (const [name, page, path] of [
    ['the end of the others by both', SESSIONS, OTHERS],
    ['new recovery codes, and the end of the others', CODES, CODES],
  ] as const)
    it(`${name} leave one of them signed in, ${DELAYS.length * ROUNDS} times [RA-1901 R-60]`, async () => {
      for (const delay of Array.from({ length: ROUNDS }, () => DELAYS).flat()) {
        const [one, other] = await signedIn()
        await one.open(page)
        await other.open(SESSIONS)

        const first = one.submit(path, {})
        await pause(delay)
        await Promise.all([first, other.submit(OTHERS, {})])

        const left = [await one.isSignedIn(), await other.isSignedIn()]
        assert.deepEqual(left.toSorted(), [false, true], `${delay} ms: ${String(left)}`)
      }
    })
})
