import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'
import { codesOf, newestLink, personOf } from './newcomer.ts'
import { confirm } from './step-up-steps.ts'

const FIREFOX = {
  clientAddress: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}
const NEW_PASSWORD = 'a quiet orchard in the rain'

/** Signs up in a browser that says what it is, to the end of the enrollment. */
async function newcomer(
  world: World,
  browser: Browser,
): Promise<{ readonly ada: Person; readonly codes: readonly string[] }> {
  await browser.open('/sign-up')
  await browser.submit('/sign-up', { email: 'ada@example.test' })
  const link = newestLink(world)
  await browser.open(link)
  await browser.submit(link, { name: 'ada', password: PASSWORD })
  const ada = await personOf(world, 'ada', await browser.open('/enroll'))
  const codes = codesOf(await browser.submit('/enroll', { code: await world.code(ada) }))
  await browser.submit('/enroll/done')
  world.clock.advance(300)
  return { ada, codes }
}

async function devicesOf(world: World, person: Person): Promise<ReadonlyMap<string, string>> {
  const rows = await world.database
    .selectFrom('event')
    .select(['kind', 'device'])
    .where('account_id', '=', person.id)
    .execute()
  return new Map(rows.map(({ kind, device }) => [kind, device]))
}

describe('the device of an event', () => {
  it('is recorded for enrollment, step-up, changes and resets, and shown in the activity [RA-2001 RA-1901]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser(FIREFOX)
    const { ada } = await newcomer(world, browser)
    await confirm(world, browser, { person: ada, path: '/account/recovery-codes' })
    await browser.submit('/account/recovery-codes')
    const { html } = await browser.open('/account/activity')
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: ada.email })
    const mail = world.mailbox.list().find(({ text }) => /\/forgot\/[\w-]{43}/.test(text))
    const link = /(\/forgot\/[\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
    await browser.open(link)
    await browser.submit(link, { password: NEW_PASSWORD })

    const devices = await devicesOf(world, ada)

    for (const kind of [
      'account-created',
      'factor-enabled',
      'step-up-confirmed',
      'recovery-codes-renewed',
      'password-reset',
    ])
      assert.match(devices.get(kind) ?? `no ${kind}`, /Firefox/, kind)
    const lines = [...html.matchAll(/<li>([^]*?)<\/li>/g)].map(([, line = '']) => line)
    const confirmed = lines.find((line) => line.includes('Identity confirmed again')) ?? ''
    assert.match(confirmed, /Firefox/)
  })

  it('is recorded for recovery codes, which replace a lost device [RA-2001]', async (test) => {
    const world = await World.create(test)
    const { ada, codes } = await newcomer(world, world.browser(FIREFOX))
    const browser = world.browser(FIREFOX)
    await browser.password(ada)
    await browser.open('/login/2fa/recovery')
    await browser.submit('/login/2fa/recovery', { code: codes[0] ?? '' })

    assert.match((await devicesOf(world, ada)).get('recovery-code-used') ?? '', /Firefox/)
  })

  it('is recorded for what administrators do [RA-2201 RA-0008]', async (test) => {
    const world = await World.create(test)
    const root = await world.person('root', {
      permissions: ['admin.access', 'accounts.manage'],
      factor: 'enabled',
    })
    const bob = await world.person('bob')
    const browser = world.browser(FIREFOX)
    await browser.signIn(root)
    const path = `/admin/accounts/${bob.id}/disable`
    await browser.open(path)
    await browser.submit(path, { reason: 'asked by telephone' })

    assert.match((await devicesOf(world, bob)).get('account-disabled') ?? '', /Firefox/)
  })

  it('of administrators is shown to no owner, neither in a page nor in a file [RA-2001]', async (test) => {
    const world = await World.create(test)
    const root = await world.person('root', { permissions: ['admin.access', 'accounts.manage'] })
    const bob = await world.person('bob')
    const by = { kind: 'account' as const, id: root.id, clientAddress: '198.51.100.9', device: 'Opera/macOS' }
    await world.app.boot()
    await world.identity.administration.states.disable({ by, reason: 'a leak' }, bob.id)
    await world.identity.administration.states.enable({ by, reason: 'it was none' }, bob.id)
    const browser = world.browser(FIREFOX)
    await browser.signIn(bob)

    const pages = ['', '/csv', '/json'].map((part) => browser.open(`/account/activity${part}`))
    const shown = (await Promise.all(pages)).map(({ html }) => html)

    assert.equal((await devicesOf(world, bob)).get('account-disabled'), by.device)
    for (const text of shown) {
      assert.match(text, /disabled/)
      assert.doesNotMatch(text, /198\.51\.100\.9|Opera/)
    }
  })

  it('is recorded for a refused sign-in and a forgotten password [RA-2001]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser(FIREFOX)
    await browser.password(ada)
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: ada.email })
    await browser.signIn(ada)
    await browser.open('/account')
    await browser.submit('/login', { email: ada.email, password: 'x' })

    const events = await world.database
      .selectFrom('event')
      .select(['kind', 'device'])
      .where('actor', 'is', null)
      .execute()

    for (const kind of ['reset-requested', 'login-refused'])
      assert.ok(
        events.some((event) => event.kind === kind),
        kind,
      )
    assert.deepEqual(
      events.filter(({ device }) => !device.startsWith('Firefox/')),
      [],
    )
  })
})
