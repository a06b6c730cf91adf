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
  it('is recorded for enrollment, step-up, changes and resets [RA-2001 RA-1901]', async (test) => {
    const world = await World.create(test)
    const browser = world.browser(FIREFOX)
    const { ada } = await newcomer(world, browser)
    await confirm(world, browser, { person: ada, path: '/account/recovery-codes' })
    await browser.submit('/account/recovery-codes')
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
