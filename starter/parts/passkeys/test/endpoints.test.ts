import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../../test/support.ts'

const WELL_KNOWN = '/.well-known/passkey-endpoints'

describe('/.well-known/passkey-endpoints', () => {
  it('names the page that adds a passkey and the one that lists them, to anybody, and to caches [RA-2904]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser()

    const { client } = browser
    const replies = [await client.get(WELL_KNOWN), await client.request('HEAD', WELL_KNOWN)]

    for (const { status, headers } of replies)
      assert.deepEqual(
        [status, headers.get('content-type'), headers.get('cache-control'), headers.get('set-cookie')],
        [200, 'application/json', 'public, max-age=3600', null],
      )
    const urls = (await replies[0]?.json()) as Record<string, string>
    assert.deepEqual(urls, {
      enroll: 'https://app.test/account/passkeys/new',
      manage: 'https://app.test/account/security',
    })
  })

  it('is at the set-up origin, whatever the request says, and below its path; nowhere without one [RA-2904]', async (test) => {
    const below = await World.create(test, { basePath: '/accounts' })
    const spoofed = { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }
    const nowhere = await World.create(test, { origin: () => 'https://192.0.2.1' })

    const reply = await below.browser().client.get(`/accounts${WELL_KNOWN}`, spoofed)

    assert.deepEqual(await reply.json(), {
      enroll: 'https://app.test/accounts/account/passkeys/new',
      manage: 'https://app.test/accounts/account/security',
    })
    assert.equal((await nowhere.browser().open(WELL_KNOWN)).status, 404)
  })
})
