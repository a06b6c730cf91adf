import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'
import { atDoor, DOOR, ownerOf } from './steps.ts'

const FORGED = {
  headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' },
}

describe('links in mails', () => {
  it('begin with the configured origin, whatever host a client claims [RA-2401 A-113]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
    for (const [path, email] of [
      ['/sign-up', 'new@example.test'],
      ['/sign-up', ada.email],
      ['/forgot', ada.email],
      ['/forgot', 'nobody@example.test'],
    ] as const) {
      await browser.open(path, FORGED)
      assert.equal((await browser.submit(path, { email }, FORGED)).status, 303)
    }
    const door = await atDoor(world, ada)
    for (let times = 0; times < 5; times += 1)
      await door.submit(DOOR, { code: await world.wrongCode(ada) }, FORGED)

    const mails = world.mailbox.list()
    assert.equal(mails.length, 5)
    // Without a part that has one, a mail may have no link.
    const origins = mails.flatMap(({ text }) => originsIn(text))
    assert.deepEqual([...new Set(origins)], ['https://app.test'])
    assert.equal(JSON.stringify(mails).includes('evil'), false)
  })

  it('are made by no request where no origin is configured [RA-2401 A-113]', async (test) => {
    const world = await World.create(test, { origin: () => undefined })
    const browser = world.browser()
    await browser.open('/sign-up', FORGED)

    const sent = await browser.submit('/sign-up', { email: 'ada@example.test' }, FORGED)

    assert.equal(sent.status, 500)
    assert.match(String(world.faults[0]), /no origin is configured/)
    assert.deepEqual(world.mailbox.list(), [])
  })
})

function originsIn(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url).origin)
}
