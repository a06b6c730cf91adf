import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { randomIdentifier } from '../../src/core/internal.ts'
import { SessionPolicy } from '../../src/session/index.ts'
import {
  digestIn,
  groupOf,
  inGroupOf,
  storedIdOf,
  successorOf,
} from '../../src/session/session-identifier.ts'
import { Site } from './site.ts'

const policy = new SessionPolicy()
const ROTATIONS = 4000

/** The cookie of a session after a rotation. */
async function rotated(site: Site, cookie: string): Promise<string> {
  const session = site.request(cookie)
  await session.regenerateId()
  return (await session.commit()) ?? ''
}

/** The cookie that a request gets which sends an identifier, asks for a new one and sets a value. */
async function cookieAfter(site: Site, sent: string | undefined): Promise<string | null> {
  const session = site.request(sent)
  await session.get('a')
  await session.regenerateId()
  await session.set('a', 2)
  return session.commit()
}

describe('the identifier that a store sees', () => {
  it('is the first two characters of the cookie and the digest of all of it [ACCT-06]', () => {
    const identifier = randomIdentifier()

    const id = storedIdOf(identifier, policy)

    assert.equal(id.length, 45)
    assert.equal(groupOf(id), identifier.slice(0, 2))
    assert.equal(digestIn(id), hash('sha256', identifier, 'base64url'))
  })

  it('names the successor of a rotation in its own group [ACCT-06]', () => {
    const id = storedIdOf(randomIdentifier(), policy)

    assert.equal(successorOf(id, id.slice(2)), id)
    assert.equal(successorOf(id, null), null)
  })
})

describe('the group of a session', () => {
  it('stays through rotations, a login and a logout [ACCT-06]', async () => {
    const site = new Site()
    let cookie = await site.live()
    const group = cookie.slice(0, 2)

    for (let round = 0; round < 50; round++) {
      cookie = await rotated(site, cookie)
      assert.equal(cookie.slice(0, 2), group)
      assert.equal(await site.request(cookie).get('a'), 1)
    }
    assert.deepEqual(new Set([...site.store.ids].map(groupOf)), new Set([group]))
  })

  it('leaves the other 244 bits of a rotated identifier to chance [ACCT-06]', async () => {
    const site = new Site()
    let cookie = await site.live()
    const seen = new Set<string>()
    const ones = Array.from({ length: 256 }, () => 0)
    for (let round = 0; round < ROTATIONS; round++) {
      cookie = await rotated(site, cookie)
      seen.add(cookie.slice(2))
      const bytes = Buffer.from(cookie, 'base64url')
      for (let bit = 0; bit < 256; bit++) {
        if (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) ones[bit] = (ones[bit] ?? 0) + 1
      }
    }

    assert.equal(seen.size, ROTATIONS)
    // Six standard deviations: a fair bit fails this once in 500 million.
    const most = 6 * Math.sqrt(ROTATIONS / 4)
    for (const [bit, count] of ones.entries()) {
      const isKept = bit < 12
      if (isKept) assert.ok(count === 0 || count === ROTATIONS, `bit ${bit} is kept`)
      else assert.ok(Math.abs(count - ROTATIONS / 2) < most, `bit ${bit} is set ${count} times`)
    }
  })

  it('is never taken from an identifier that is not the one of a live session [ACCT-06 A-077]', async () => {
    const site = new Site()
    const [gone, destroyed] = [await site.ended(), await site.live()]
    const ending = site.request(destroyed)
    await ending.destroy()
    await ending.commit()
    const groups = new Set<string>()
    for (let round = 0; round < 60; round++) {
      const chosen = `zz${randomIdentifier().slice(2)}`
      const fresh = await cookieAfter(site, chosen)
      groups.add(fresh?.slice(0, 2) ?? '')
    }

    // By chance two of them at most: each has one in 4,096.
    assert.ok(groups.size > 50, `${groups.size} groups`)
    // Those that have ended set no cookie at all.
    assert.equal(await cookieAfter(site, gone), null)
    assert.equal(await cookieAfter(site, destroyed), null)
  })

  it('is another one for what a request sets after it has destroyed its session [ACCT-06]', async () => {
    const site = new Site()
    const groups = new Set<string>()
    for (let round = 0; round < 60; round++) {
      const cookie = await site.live()
      const session = site.request(cookie)
      await session.destroy()
      await session.regenerateId()
      await session.set('a', 3)
      const fresh = (await session.commit()) ?? ''
      if (fresh.slice(0, 2) === cookie.slice(0, 2)) groups.add(fresh)
    }

    assert.ok(groups.size <= 2, 'equal by chance only')
  })

  it('is passed on by what a rotation keeps, and not by the rest of the identifier [ACCT-06]', () => {
    const [from, to] = [randomIdentifier(), randomIdentifier()]
    const next = inGroupOf(to, storedIdOf(from, policy))

    assert.equal(next, from.slice(0, 2) + to.slice(2))
  })
})
