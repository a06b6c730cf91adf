import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../../../test/support.ts'

const WELL_KNOWN = '/.well-known/passkey-endpoints'

describe('/.well-known/passkey-endpoints', () => {
  it('names the pages that add and list passkeys at the set-up origin, whatever the request says, to anybody and to caches; nowhere without passkeys [RA-2904]', async (test) => {
    const { client } = (await World.create(test, { basePath: '/accounts' })).browser()
    const spoofed = { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }
    const nowhere = await World.create(test, { origin: () => 'https://192.0.2.1' })

    const reply = await client.get(`/accounts${WELL_KNOWN}`, spoofed)

    const { status, headers } = reply
    const sent = ['content-type', 'cache-control', 'set-cookie'].map((name) => headers.get(name))
    assert.deepEqual([status, ...sent], [200, 'application/json', 'public, max-age=3600', null])
    assert.deepEqual(await reply.json(), {
      enroll: 'https://app.test/accounts/account/passkeys/new',
      manage: 'https://app.test/accounts/account/security',
    })
    assert.equal((await nowhere.browser().open(WELL_KNOWN)).status, 404)
  })
})
