import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Closing } from 'sallyport-app/testing'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { DOOR, isIn, Site } from './site.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const DELAYS = [0, 0, 0, 1, 1, 2, 2, 4, 8, 16]
const ROUNDS = NIGHTLY ? 20 : 1
const CODES = '/account/recovery-codes'

describe('two sessions of an account, each in a process of its own', () => {
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

  it(`that both make new recovery codes: one of them stays signed in, ${DELAYS.length * ROUNDS} times [RA-1901 RA-3001 R-60]`, async () => {
    for (const delay of Array.from({ length: ROUNDS }, () => DELAYS).flat()) {
      const [one, other] = await signedIn()
      await one.open(CODES)
      await other.open(CODES)

      const first = one.submit(CODES, {})
      await pause(delay)
      await Promise.all([first, other.submit(CODES, {})])

      const left = [await one.isSignedIn(), await other.isSignedIn()]
      assert.deepEqual(left.toSorted(), [false, true], `${delay} ms: ${String(left)}`)
    }
  })
})
