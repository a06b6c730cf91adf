import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { RequestSession } from '../../src/session/internal.ts'
import { Site } from './site.ts'

/** What a later request with a cookie finds. */
async function entries(site: Site, cookie: string): Promise<Record<string, unknown>> {
  const session = site.request(cookie)
  const keys = await session.keysFrom('')
  const found: Record<string, unknown> = {}
  for (const key of keys) found[key] = await session.get(key)
  return found
}

describe('RequestSession.withdraw()', () => {
  it('drops what was set, and keeps removals and rotations [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await session.remove('a')
    await session.regenerateId()

    session.withdraw()
    const change = await session.commit()

    assert.notEqual(change, null)
    assert.notEqual(change, cookie)
    assert.deepEqual(await entries(site, change ?? ''), {})
    assert.equal(await site.request(cookie).has('a'), false)
  })

  it('keeps a session destroyed [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.destroy()
    await session.set('b', 2)

    session.withdraw()

    assert.equal(await session.commit(), '')
    assert.deepEqual(await entries(site, cookie), {})
  })

  it('creates no session from what an anonymous client set [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request()
    await session.set('a', 1)

    session.withdraw()

    assert.equal(session.seal(), false)
    assert.equal(await session.commit(), null)
    assert.deepEqual(site.store.calls, [])
  })

  it('lets the error page set values for itself, and keeps none of them either', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    session.seal()

    session.withdraw()
    await session.set('token', 'x')

    assert.equal(await session.get('token'), 'x')
    assert.equal(await session.get('b'), undefined)
    assert.equal(session.seal(), false)
    await assert.rejects(session.set('late', 1))
    await session.commit()
    assert.deepEqual(await entries(site, cookie), { a: 1 })
  })

  it('a rotation after which nobody is signed in does not lengthen the absolute lifetime [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.regenerateId()
    session.renew()
    session.withdraw()
    let next = (await session.commit()) ?? ''

    // Busy, until the twelve hours of its beginning are over.
    for (let hour = 0; hour < 12; hour++) {
      assert.equal(await site.request(next).get('a'), 1, `hour ${hour}`)
      const busy = site.request(next)
      site.clock.advance(3600)
      await busy.get('a')
      next = (await busy.commit()) ?? next
    }

    assert.equal(await site.request(next).get('a'), undefined)
  })

  it('reports each withdrawal once, and confirms nothing as kept [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    const heard: unknown[] = []
    session.whenWithdrawn(() => heard.push('first'))
    session.whenWithdrawn(() => heard.push('second'))
    session.whenConfirmed((survived) => heard.push(survived))
    await session.set('b', 2)

    session.withdraw()
    session.withdraw()
    await session.commit()

    assert.deepEqual(heard, ['first', 'second', false])
  })
})

describe('RequestSession.takeBack()', () => {
  async function committed(session: RequestSession): Promise<string | null> {
    session.seal()
    return session.commit()
  }

  it('does nothing with the cookie when nothing was written [HOLD-20]', async () => {
    const site = new Site()

    assert.equal(await site.request().takeBack(), null)
    const read = site.request(await site.live())
    await read.get('a')
    await committed(read)
    assert.equal(await read.takeBack(), null)
  })

  it('restores what the store had before, and sends the browser nothing [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('a', 2)
    await session.set('b', 2)
    await committed(session)
    assert.deepEqual(await entries(site, cookie), { a: 2, b: 2 })

    assert.equal(await session.takeBack(), null)

    assert.deepEqual(await entries(site, cookie), { a: 1 })
  })

  it('reports the withdrawal, and shows the error page nothing of what was set [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    let heard = 0
    session.whenWithdrawn(() => heard++)
    await session.set('a', 2)
    await session.set('b', 2)
    await committed(session)
    assert.equal(heard, 0)

    await session.takeBack()

    assert.equal(heard, 1)
    assert.deepEqual([await session.get('a'), await session.get('b')], [1, undefined])
  })

  it('restores no value that was removed before it was set [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.remove('a')
    await session.set('a', 2)
    await committed(session)

    await session.takeBack()

    assert.deepEqual(await entries(site, cookie), {})
  })

  it('removes the new session of an anonymous client, whose cookie is never sent [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request()
    await session.set('a', 1)
    const cookie = await committed(session)

    assert.equal(await session.takeBack(), null)

    assert.deepEqual(await entries(site, cookie ?? ''), {})
  })

  it('removes what was set after a destruction, and expires its cookie [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.destroy()
    await session.set('b', 2)
    const next = await committed(session)

    assert.equal(await session.takeBack(), '')

    assert.deepEqual([await entries(site, cookie), await entries(site, next ?? '')], [{}, {}])
  })

  it('keeps a rotation, and removes what was set from the new record [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await session.regenerateId()
    const next = await committed(session)

    assert.equal(await session.takeBack(), next)

    assert.deepEqual(await entries(site, next ?? ''), { a: 1 })
  })

  it('finds what was set after a rotation by another request [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await committed(session)
    const other = site.request(cookie)
    await other.regenerateId()
    const next = await other.commit()

    await session.takeBack()

    assert.deepEqual(await entries(site, next ?? ''), { a: 1 })
  })

  it('leaves alone what another request wrote or removed since [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    for (const key of ['a', 'b', 'c']) await session.set(key, 2)
    await committed(session)
    const other = site.request(cookie)
    await other.set('b', 3)
    await other.remove('a')
    await other.commit()

    await session.takeBack()

    assert.deepEqual(await entries(site, cookie), { b: 3 })
  })

  it('writes nothing when another request has changed everything since', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await committed(session)
    const other = site.request(cookie)
    await other.set('b', 3)
    await other.commit()
    site.store.reset()

    await session.takeBack()

    assert.deepEqual(site.store.calls, ['read'])
  })

  it('reverts nothing a second time [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await committed(session)
    await session.takeBack()
    site.store.reset()

    assert.equal(await session.takeBack(), null)

    assert.deepEqual(site.store.calls, [])
  })

  it('a reverted login does not lengthen the absolute lifetime [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    site.clock.advance(3600)
    const session = site.request(cookie)
    await session.set('b', 2)
    await session.regenerateId()
    session.renew()
    let next = (await committed(session)) ?? ''
    next = (await session.takeBack()) ?? ''

    for (let hour = 1; hour < 12; hour++) {
      const busy = site.request(next)
      assert.equal(await busy.get('a'), 1, `hour ${hour}`)
      await busy.commit()
      site.clock.advance(3600)
    }

    assert.equal(await site.request(next).get('a'), undefined)
  })

  it('a session with reverted values ends after its idle time [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await committed(session)
    await session.takeBack()

    site.clock.advance(7199)
    assert.equal(await site.request(cookie).get('a'), 1)
    site.clock.advance(1)

    assert.equal(await site.request(cookie).get('a'), undefined)
  })

  it('destroys a session from which it cannot remove anything, and expires the cookie [HOLD-20]', async () => {
    const site = new Site()
    const cookie = await site.live()
    const session = site.request(cookie)
    await session.set('b', 2)
    await committed(session)
    site.store.failing.add('update')

    assert.equal(await session.takeBack(), '')

    assert.deepEqual(await entries(site, cookie), {})
  })

  it('reports no other session that the store keeps [HOLD-20]', async () => {
    const site = new Site()
    const session = site.request()
    await session.set('a', 1)
    await committed(session)
    site.store.failing.add('destroy')

    assert.equal(await session.takeBack(), null)
  })

  it('refuses later changes [HOLD-54]', async () => {
    const site = new Site()
    const session = site.request(await site.live())
    await session.set('b', 2)
    await committed(session)
    await session.takeBack()

    await assert.rejects(session.set('late', 1), /response has been made/)
  })
})
