import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AUTHENTICATOR_LIMIT } from '../../core/limits/limits.ts'
import { ofParts } from '../facts-of-parts.ts'
import { PASSWORD, type Person, World } from '../support.ts'

const OF_PARTS = new Set(
  Object.keys(ofParts('links')).map((route) => route.replace('POST ', '').replace('{token}', '…')),
)
const FORGED = {
  headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' },
}

/** Everything that sends a mail, from a client that claims to be on another host. */
async function askForEverything(world: World, ada: Person): Promise<void> {
  const browser = world.browser()
  for (const [path, email] of [
    ['/sign-up', 'new@example.test'],
    ['/sign-up', ada.email],
    ['/forgot', ada.email],
    ['/forgot', 'nobody@example.test'],
  ] as const) {
    await browser.open(path, FORGED)
    assert.equal((await browser.submit(path, { email }, FORGED)).status, 303)
  }
  for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1) {
    await browser.open('/login', FORGED)
    await browser.submit('/login', { email: ada.email, password: PASSWORD }, FORGED)
    await browser.open('/login/2fa', FORGED)
    await browser.submit('/login/2fa', { code: await world.wrongCode(ada) }, FORGED)
  }
}

async function worldWithAda(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test)
  return { world, ada: await world.person('ada', { factor: 'enabled' }) }
}

describe('links in mails', () => {
  it('begin with the configured origin, whatever host a client claims [RA-2401 A-113]', async (test) => {
    const { world, ada } = await worldWithAda(test)

    await askForEverything(world, ada)

    const mails = world.mailbox.list()
    const links = mails.flatMap(({ text }) =>
      [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url)),
    )
    assert.deepEqual([...new Set(links.map(({ origin }) => origin))], ['https://app.test'])
    const paths = links.map(({ pathname }) => pathname.replace(/[\w-]{43}/, '…'))
    assert.deepEqual([...new Set(paths)].filter((path) => !OF_PARTS.has(path)).toSorted(), [
      '/forgot',
      '/forgot/…',
      '/login',
      '/sign-up/confirm/…',
    ])
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
