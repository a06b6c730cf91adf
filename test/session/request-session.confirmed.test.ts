import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { ServiceUnavailableException } from '../../src/http/index.ts'
import type { RequestSession } from '../../src/session/internal.ts'
import { Site } from './site.ts'

describe('RequestSession.whenConfirmed()', () => {
  /** What two listeners hear of a request, in order. */
  function listen(session: RequestSession): boolean[] {
    const heard: boolean[] = []
    for (let many = 0; many < 2; many++) session.whenConfirmed((survived) => heard.push(survived))
    return heard
  }

  it('reports that the values were kept, once the store has them', async () => {
    const site = new Site()
    const cookie = await site.live()
    const sessions = [site.request(), site.request(cookie), site.request(cookie)]
    const [made, changed, rotated] = sessions.map(listen)
    for (const session of sessions) await session.set('b', 2)
    await sessions[2]?.regenerateId()

    assert.deepEqual([made, changed, rotated], [[], [], []])
    for (const session of sessions) await session.commit()

    assert.deepEqual(
      [made, changed, rotated],
      [
        [true, true],
        [true, true],
        [true, true],
      ],
    )
  })

  it('reports that they were not when another request ended the session', async () => {
    const site = new Site()
    const cookie = await site.live()
    const [ender, writer, rotator] = [site.request(cookie), site.request(cookie), site.request(cookie)]
    await ender.destroy()
    await writer.set('b', 2)
    await rotator.regenerateId()
    const [written, rotated] = [listen(writer), listen(rotator)]

    for (const session of [ender, writer, rotator]) await session.commit()

    assert.deepEqual(
      [written, rotated],
      [
        [false, false],
        [false, false],
      ],
    )
  })

  it('reports nothing when the store fails, nor for a request that leaves no record', async () => {
    const site = new Site()
    const failed = site.request(await site.live())
    const ended = site.request(await site.ended())
    const heard = [listen(failed), listen(ended)]
    for (const session of [failed, ended]) await session.set('b', 2)

    site.store.failing.add('update')
    await assert.rejects(failed.commit(), ServiceUnavailableException)
    await ended.commit()

    assert.deepEqual(heard, [[], []])
  })
})
