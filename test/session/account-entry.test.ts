import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'

import { SessionPolicy } from '../../src/session/index.ts'
import { accountEntryOf, ownerOf, type RequestSession } from '../../src/session/internal.ts'
import type { SessionRecord } from '../../src/session/session-store.ts'
import { storedIdOf } from '../../src/session/session-identifier.ts'
import { Site } from './site.ts'

const policy = new SessionPolicy()
const ADA = ownerOf('ada', policy)

class AccountSite extends Site {
  /** A session as the version before would have stored it. */
  async old(entries: Readonly<Record<string, string>> = {}): Promise<string> {
    const cookie = await this.live()
    const now = this.clock.milliseconds()
    const data = new Map(Object.entries({ _auth: '"ada"', ...entries }))
    await this.store.create(idOf(cookie), data, { createdAt: now, expiresAt: now + 7_200_000 })
    return cookie
  }

  async run(cookie: string, work: (session: RequestSession) => Promise<unknown>): Promise<string> {
    const session = this.request(cookie)
    await work(session)
    const change = session.seal() ? await session.commit() : null
    return change ?? cookie
  }

  async record(cookie: string): Promise<SessionRecord | null> {
    return this.store.read(idOf(cookie))
  }
}

function idOf(cookie: string): string {
  return storedIdOf(cookie, policy)
}

describe('the owner of a session', () => {
  it('comes to a session from before there were owners with its next write, with one handle [ACCT-07]', async () => {
    for (const work of [
      (session: RequestSession) => session.set('note', 1),
      (session: RequestSession) => session.regenerateId(),
    ]) {
      const site = new AccountSite()
      const cookie = await site.old()
      const { handle } = accountEntryOf(idOf(cookie), new Map())
      assert.equal((await site.record(cookie))?.owner ?? null, null)

      const next = await site.run(cookie, work)

      const record = await site.record(next)
      assert.equal(record?.owner, ADA)
      assert.deepEqual(accountEntryOf(idOf(next), record.data), { handle, details: {} })
    }
  })

  it('comes with the rolled expiry, which costs no write of its own [ACCT-07]', async () => {
    const site = new AccountSite()
    const cookie = await site.old()
    site.store.reset()

    await site.run(cookie, (session) => session.get('note'))
    assert.deepEqual(site.store.calls, ['read'])
    site.clock.advance(60)
    await site.run(cookie, (session) => session.get('note'))

    assert.deepEqual(site.store.calls, ['read', 'read', 'update'])
    assert.equal((await site.record(cookie))?.owner, ADA)
  })

  it('two requests that write such a session at once agree on its handle [ACCT-07]', async () => {
    const site = new AccountSite()
    const cookie = await site.old()
    const requests = [site.request(cookie), site.request(cookie)]

    const handles: string[] = []
    for (const session of requests) await session.set('note', 1)
    for (const session of requests) {
      await session.commit()
      handles.push(accountEntryOf('', (await site.record(cookie))?.data ?? new Map()).handle)
    }

    assert.equal(handles[0], handles[1])
  })

  it('goes with the identity, also when the application removes that itself [ACCT-03]', async () => {
    const site = new AccountSite()
    const cookie = await site.old()
    await site.run(cookie, (session) => session.set('note', 1))

    await site.run(cookie, (session) => session.remove('_auth'))

    const record = await site.record(cookie)
    assert.deepEqual([record?.owner, [...(record?.data.keys() ?? [])]], [null, ['note']])
  })

  it('follows an identity that the application writes itself, with a new handle [ACCT-03]', async () => {
    const site = new AccountSite()
    const cookie = await site.old()
    await site.run(cookie, (session) => session.set('note', 1))
    const before = accountEntryOf('', (await site.record(cookie))?.data ?? new Map())

    await site.run(cookie, (session) => session.set('_auth', 'eve'))

    const record = await site.record(cookie)
    assert.equal(record?.owner, ownerOf('eve', policy))
    assert.notEqual(accountEntryOf('', record.data).handle, before.handle)
  })

  it('a malformed entry counts as missing, and is published [HOLD-25]', async (t) => {
    const events: (string | null)[] = []
    const listen = (message: unknown): void => void events.push((message as { key: string | null }).key)
    subscribe('sallyport:session-malformed', listen)
    t.after(() => unsubscribe('sallyport:session-malformed', listen))
    for (const text of ['{', '[]', 'null', '{"handle":"short","details":{}}', '{"details":{}}']) {
      const site = new AccountSite()
      const cookie = await site.old({ _account: text })
      const { handle } = accountEntryOf(idOf(cookie), new Map())

      assert.equal(await site.request(cookie).accountHandle('ada'), handle)
      await site.run(cookie, (session) => session.set('note', 1))

      assert.deepEqual(new Set(events), new Set(['_account']))
      assert.equal((await site.record(cookie))?.data.get('_account'), `{"handle":"${handle}","details":{}}`)
    }
  })
})

describe('the entry that describes a session', () => {
  it('cannot be read or written by the application', async () => {
    const site = new AccountSite()
    const session = site.request(await site.old({ _account: '1' }))
    const refused = { name: 'TypeError', message: /"_account".*belongs to the framework/ }

    await assert.rejects(session.get('_account'), refused)
    await assert.rejects(session.has('_account'), refused)
    await assert.rejects(session.set('_account', 1), refused)
    await assert.rejects(session.remove('_account'), refused)
  })

  it('fits into a session that is full', async () => {
    const site = new AccountSite()
    const cookie = await site.old({ large: JSON.stringify('x'.repeat(65_400)) })

    await site.run(cookie, async (session) => {
      await session.describe('ada', JSON.stringify({ device: 'x'.repeat(2000) }))
      await session.set('_auth', 'ada')
    })

    assert.match(
      (await site.record(cookie))?.data.get('_account') ?? '',
      /^\{"handle":"[\w-]{22}","details":\{"device"/,
    )
  })
})
