import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { Mails } from '../../../core/mail/mails.ts'
import { formatMailTime } from '../../../core/mail/mail-values.ts'
import { PasswordReset } from '../../../core/reset/password-reset.ts'
import { ADD, withSecretOf } from '../../../test/flow/security-steps.ts'
import { type Browser, type Person, World } from '../../../test/support.ts'
import { ApiTokens } from '../api-tokens.ts'
import { ENDING_TOKENS, TOLD_DAYS } from '../ending-tokens.ts'
import { makeToken, Program } from './program.ts'

const DAY = 24 * 60 * 60
const FROM = { clientAddress: '192.0.2.7', device: '' }
const OPERATOR = { by: { kind: 'operator', name: 'olga' }, reason: 'lost the phone' } as const
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

interface Scene {
  readonly world: World
  readonly ada: Person
  /** Signed in, with fresh proofs and an unused code. */
  readonly browser: Browser
  readonly program: Program
  readonly id: string
}

async function scene(test: TestContext): Promise<Scene> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const program = new Program(world, await makeToken(world, ada, { scopes: ['activity.read'] }))
  const [token] = await world.app.get(ApiTokens).list(ada.id)
  const browser = world.browser()
  await browser.signIn(ada)
  world.clock.advance(30)
  return { world, ada, browser, program, id: token?.id ?? '' }
}

async function post(browser: Browser, path: string, fields = {}): Promise<void> {
  await browser.open(path)
  const { status } = await browser.submit(path, fields)
  assert.ok([200, 303].includes(status), `${path}: ${status}`)
}

// What changes the credentials of an account, each in its own way.
const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'a new password': ({ browser }) =>
    post(browser, '/account/password', { password: 'another gate of two doors' }),
  'a forgotten password': async ({ world, ada }) => {
    const resets = world.app.get(PasswordReset)
    const request = await resets.request(ada.email, FROM)
    await resets.reset(request.kind === 'reset' ? request.token : '', { passwordHash: 'x', ...FROM })
  },
  'another authenticator': async ({ world, ada, browser }) => {
    const added = withSecretOf(ada, await browser.open(ADD))
    await browser.submit(ADD, { label: 'Tablet', code: await world.code(added) })
  },
  'new recovery codes': ({ browser }) => post(browser, '/account/recovery-codes'),
  'the end of all sessions': ({ browser }) => post(browser, '/account/sessions/all'),
  'a reset of the factors': ({ world, ada }) => world.identity.administration.resets.reset(OPERATOR, ada.id),
  'a request to delete the account': ({ browser, ada }) =>
    post(browser, '/account/delete', { email: ada.email }),
  'the link “this was not me”': async ({ world, ada }) => {
    await world.identity.notices.tell(ada.id, 'password-changed')
    const link = /https:\/\/app\.test(\/not-me\/\S+)/.exec(world.mailbox.list()[0]?.text ?? '')?.[1]
    await post(world.browser(), link ?? '')
  },
}

describe('a token of an account', () => {
  for (const [name, change] of Object.entries(CHANGES))
    it(`is suspended by ${name}, and works again when it is confirmed [RA-3001 RA-1901]`, async (test) => {
      const present = await scene(test)
      const { world, ada, program, id } = present
      assert.equal((await program.get('/me')).status, 200)

      await change(present)

      assert.equal((await program.get('/me')).status, 401)
      const tokens = world.app.get(ApiTokens)
      assert.equal((await tokens.list(ada.id))[0]?.state, 'suspended')
      const found = await world.identity.users.authenticationIdentity(ada.id)
      const { credentialVersion = 0 } = found ?? {}
      assert.equal(await tokens.confirm({ accountId: ada.id, ...FROM }, id, { credentialVersion }), true)
      assert.equal((await program.get('/me')).status, 200)
    })

  it('is confirmed and revoked by one of fifty at once [RA-2502]', async (test) => {
    const { world, ada, id } = await scene(test)
    const tokens = world.app.get(ApiTokens)
    const credentialVersion = (await world.identity.users.endSessions(ada.id)) ?? 0
    const owner = { accountId: ada.id, ...FROM }
    const fifty = async (once: () => Promise<boolean>): Promise<number> =>
      (await Promise.all(Array.from({ length: 50 }, once))).filter(Boolean).length

    assert.equal(await fifty(() => tokens.confirm(owner, id, { credentialVersion })), 1)
    assert.equal(await fifty(() => tokens.revoke(owner, id)), 1)
  })

  it('goes with the account [RA-2001 RA-2501]', async (test) => {
    const { world, ada, program } = await scene(test)

    await world.database.deleteFrom('account').where('id', '=', ada.id).execute()

    assert.equal((await program.get('/me')).status, 401)
    assert.deepEqual(await world.database.selectFrom('api_token').selectAll().execute(), [])
  })

  it('is listed above the older ones, also within a second [RA-1001]', async (test) => {
    const { world, ada, browser } = await scene(test)
    for (const name of ['one', 'two', 'three', 'four']) await makeToken(world, ada, { name })

    const { html } = await browser.open('/account/security/tokens')

    const listed = [...html.matchAll(/<h2 id="token-[^>]*>([^<]+)</g)].map(([, name]) => name)
    assert.deepEqual(listed, ['four', 'three', 'two', 'one', 'ci'])
  })

  it('shows its program nothing of the browsers of administrators [RA-2001]', async (test) => {
    const { world, ada, program, id } = await scene(test)
    const { states } = world.identity.administration
    const root = await world.person('root', { permissions: ['admin.access', 'accounts.manage'] })
    const by = { kind: 'account' as const, id: root.id, clientAddress: '198.51.100.9', device: 'Opera/macOS' }
    await states.disable({ by, reason: 'a leak' }, ada.id)
    await states.enable({ by, reason: 'it was none' }, ada.id)
    const found = await world.identity.users.authenticationIdentity(ada.id)
    const owner = { accountId: ada.id, ...FROM }
    const { credentialVersion = 0 } = found ?? {}
    await world.app.get(ApiTokens).confirm(owner, id, { credentialVersion })

    const text = JSON.stringify((await program.get('/activity')).json)

    assert.match(text, /disabled/)
    assert.doesNotMatch(text, /198\.51\.100\.9|Opera/)
  })

  it('that is refused is recorded with what used it [RA-2001]', async (test) => {
    const { world, ada, program } = await scene(test)
    await world.disable(ada)

    await program.get('/me', { headers: { 'user-agent': FIREFOX } })

    const refused = world.database.selectFrom('event').select('device').where('kind', '=', 'token-refused')
    assert.match((await refused.executeTakeFirst())?.device ?? '', /^Firefox\//)
  })
})

/** Sends the mails that are due, as whatever sends them does. */
async function remind({ database, clock, app }: World): Promise<number> {
  const [now, told] = [clock.timestamp(), sql<string>`(SELECT 'nothing')`]
  const rows = await ENDING_TOKENS.choose(database, { now, told })
  const linkTo = (path: string): string => `https://app.test${path}`
  for (const row of rows) {
    const values = await ENDING_TOKENS.take(database, row, { now, linkTo, note: async () => true })
    app
      .get(Mails)
      .send(ENDING_TOKENS.kind, row, { ...values, at: formatMailTime(row.expires_at, row.language) })
  }
  return rows.length
}

describe('the mail about the end of a token', () => {
  for (const [language, subject, end] of [
    [
      'en',
      'A token of your account ends soon',
      /“nightly” of your account ends on 8 January 2026 at 00:00 UTC/,
    ],
    ['de', 'Ein Token Ihres Kontos läuft bald ab', /läuft am 8\. Januar 2026 um 00:00 UTC ab/],
  ] as const)
    it(`is due three days before, in the language of the account (${language}) [RA-2401]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada')
      await world.database.updateTable('account').set({ language }).execute()
      await makeToken(world, ada, { name: 'nightly', days: 7 })

      world.clock.advance((7 - TOLD_DAYS) * DAY - 1)
      assert.equal(await remind(world), 0)
      world.clock.advance(1)
      assert.equal(await remind(world), 1)

      const [mail] = world.mailbox.list()
      assert.deepEqual([mail?.to, mail?.subject], [ada.email, subject])
      assert.match(mail?.text ?? '', end)
      assert.match(mail?.text ?? '', /https:\/\/app\.test\/account\/security\/tokens/)
      assert.doesNotMatch(mail?.text ?? '', /sallyport_/)
    })

  it('is due for no token that has ended, was revoked or is suspended, and for that one when it counts again [RA-2401]', async (test) => {
    const world = await World.create(test)
    const [ada, bob, eve] = [await world.person('ada'), await world.person('bob'), await world.person('eve')]
    for (const person of [ada, bob, eve]) await makeToken(world, person, { days: 7 })
    const tokens = world.app.get(ApiTokens)
    const [revoked] = await tokens.list(ada.id)
    await tokens.revoke({ accountId: ada.id, ...FROM }, revoked?.id ?? '')
    await world.identity.users.endSessions(bob.id)
    await world.disable(eve)
    world.clock.advance(5 * DAY)
    assert.equal(await remind(world), 0)

    const [suspended] = await tokens.list(bob.id)
    await tokens.confirm({ accountId: bob.id, ...FROM }, suspended?.id ?? '', { credentialVersion: 2 })
    assert.equal(await remind(world), 1)

    assert.equal(world.mailbox.list()[0]?.to, bob.email)
    world.clock.advance(2 * DAY)
    assert.equal(await remind(world), 0)
  })
})
