import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { optionsOf, type ResponseOptions, SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Page, PASSWORD, World } from '../support.ts'
import { filesOf, listen } from './listening.ts'
import { enroll } from './newcomer.ts'
import { NEW_PASSKEY, PASSKEY_DOOR, PASSKEY_SIGN_IN } from './passkey-steps.ts'
import { CONFIRM, confirm } from './step-up-steps.ts'

// What the framework publishes.
const CHANNELS = [
  'login',
  'logout',
  'rotated',
  'refused',
  'throttled',
  'store-failed',
  'session-malformed',
].map((name) => `sallyport:${name}`)

const FAULT_OF_LOGIN =
  "CREATE TRIGGER fault BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'injected'); END"

/** Where a passkey is asked for, and where its response goes. */
interface Ceremony {
  readonly page: string
  readonly post: string
  readonly fields?: Readonly<Record<string, string>>
}

const REGISTRATION: Ceremony = { page: NEW_PASSKEY, post: NEW_PASSKEY, fields: { label: 'Key' } }
const SIGN_IN: Ceremony = { page: '/login', post: PASSKEY_SIGN_IN }
const SECOND_DOOR: Ceremony = { page: PASSKEY_DOOR, post: PASSKEY_DOOR }
const STEP_UP: Ceremony = {
  page: `${CONFIRM}?return_url=%2Faccount%2Fpassword`,
  post: `${CONFIRM}/passkey`,
  fields: { return_url: '/account/password' },
}

/** What the framework publishes, as text. */
function hear(test: TestContext): readonly string[] {
  const published: string[] = []
  const keep = (message: unknown): void => void published.push(inspect(message, { depth: 9 }))
  for (const name of CHANNELS) subscribe(name, keep)
  test.after(() => CHANNELS.forEach((name) => unsubscribe(name, keep)))
  return published
}

function tokensIn(world: World): readonly string[] {
  const texts = world.mailbox.list().map(({ text }) => text)
  return texts.flatMap((text) => /\/(?:confirm|not-me|forgot)\/([\w-]{20,})/.exec(text)?.[1] ?? [])
}

describe('the secrets of a whole story', () => {
  it('are in no log, event, error, mail or file [A-129 RA-0008 RA-2401 FACTOR-37 FACTOR-38]', async (test) => {
    const lines = listen(test)
    const published = hear(test)
    const world = await World.create(test)
    const ids: string[] = []
    const errors: string[] = []
    const keep = (browser: Browser): void => void ids.push(browser.sessionId ?? '')
    const look = ({ status, html }: Page): void => void (status >= 400 && errors.push(html))
    const from = { clientAddress: '203.0.113.7', userAgent: 'Firefox/1.0 canary-agent' }

    const first = world.browser(from)
    const { person: eve, codes } = await enroll(world, first, 'eve')
    keep(first)
    const used = [await world.code(eve)]
    await first.submit('/enroll/done')
    keep(first)
    const typed = ['canary-password', '918273']
    const second = world.browser()
    look(await second.password(eve, 'canary-password'))
    await second.password(eve)
    keep(second)
    look(await second.code('918273'))
    await second.open('/login/2fa/recovery')
    await second.submit('/login/2fa/recovery', { code: codes[0] ?? '' })
    keep(second)
    world.clock.advance(600)
    await confirm(world, second, { person: eve, path: '/account/sessions/all' })
    used.push(await world.code(eve))
    keep(second)
    await second.submit('/account/sessions/others')
    const [, link = '/'] = /app\.test(\/\S+\/[\w-]{43})/.exec(world.mailbox.list()[0]?.text ?? '') ?? []
    await first.open(link)
    await first.submit(link)
    await first.open('/forgot')
    await first.submit('/forgot', { email: eve.email })
    world.clock.advance(30)
    for (let times = 0; times < 11; times += 1) {
      await first.password(eve)
      look(await first.code('918273'))
    }
    await sql.raw(FAULT_OF_LOGIN).execute(world.database)
    await first.open('/login')
    look(await first.submit('/login', { email: eve.email, password: PASSWORD }))
    errors.push(inspect(world.faults, { depth: 9 }))

    const tokens = tokensIn(world)
    const mails = JSON.stringify(world.mailbox.list())
    const log = [...lines, ...published].join('\n')
    const files = filesOf(world)
    const failures = errors.join('\n')
    assert.ok(published.length >= 4 && errors.length >= 7 && world.faults.length === 1)
    assert.ok(tokens.length >= 2 && world.mailbox.list().length >= 4 && log.includes('logged-in'))
    const own = [PASSWORD, 'canary-password', eve.secret?.reveal() ?? '', ...codes, ...ids]
    for (const code of codes) own.push(code.replaceAll('-', ''), code.slice(5).replace('-', ''))
    assert.ok(own.every((secret) => secret.length > 6))
    for (const secret of own)
      for (const [place, text] of Object.entries({ log, failures, mails, files }))
        assert.equal(text.includes(secret), false, `${place}: ${secret}`)
    for (const token of tokens)
      for (const [place, text] of Object.entries({ log, failures, files }))
        assert.equal(text.includes(token), false, place)
    for (const code of [...typed.slice(1), ...used])
      assert.doesNotMatch(`${log}\n${failures}\n${mails}`, new RegExp(`(?<!\\d)${code}(?!\\d)`))
    assert.equal(`${log}${mails}${files}`.includes('canary-agent'), false)
  })

  it('no challenge of a passkey is in a log, an event, a mail, an error or the database of the accounts [A-129]', async (test) => {
    const lines = listen(test)
    const published = hear(test)
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const challenges = new Set<string>()
    const errors: string[] = []
    const key = new SoftwareAuthenticator()
    // Opens a page, and posts what an authenticator makes of its challenge.
    const answer = async (browser: Browser, at: Ceremony, options: ResponseOptions = {}): Promise<Page> => {
      const { html } = await browser.open(at.page)
      challenges.add(optionsOf(html).challenge ?? '')
      const response = at.page === NEW_PASSKEY ? key.register(html, options) : key.respond(html, options)
      const page = await browser.submit(at.post, { ...at.fields, response })
      if (page.status >= 400) errors.push(page.html.replace(/data-options="[^"]*"/, ''))
      return page
    }
    const forged = { origin: 'https://evil.example' }
    const owner = world.browser()
    await owner.signIn(ada)

    for (const options of [forged, {}]) await answer(owner, REGISTRATION, options)
    for (const options of [forged, {}]) await answer(world.browser(), SIGN_IN, options)
    for (const options of [forged, {}]) {
      const browser = world.browser()
      await browser.password(ada)
      await answer(browser, SECOND_DOOR, options)
    }
    world.clock.advance(300)
    for (const options of [forged, {}]) await answer(owner, STEP_UP, options)
    const fault =
      "CREATE TRIGGER fault BEFORE INSERT ON used_passkey_challenge BEGIN SELECT RAISE(ABORT, 'injected'); END"
    await sql.raw(fault).execute(world.database)
    await answer(world.browser(), SIGN_IN)

    const accounts = ['', '-wal'].map((end) => readFileSync(`${world.accountsPath}${end}`, 'latin1'))
    const said = {
      log: lines.join('\n'),
      events: published.join('\n'),
      mails: JSON.stringify(world.mailbox.list()),
      errors: [...errors, inspect(world.faults, { depth: 9 })].join('\n'),
      accounts: accounts.join('\n'),
    }
    assert.ok(said.log.includes('passkey-used') && said.log.includes('passkey-refused'))
    assert.ok(published.length >= 4 && errors.length >= 2 && world.faults.length === 1)
    assert.equal(challenges.size, 9)
    for (const [place, text] of Object.entries(said))
      for (const challenge of challenges) {
        assert.ok(challenge.length >= 43)
        const bytes = Buffer.from(challenge, 'base64url')
        for (const form of [challenge, bytes.toString('hex'), bytes.toString('latin1')])
          assert.equal(text.includes(form), false, place)
      }
  })
})
