import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { MailSender } from 'sallyport-app/mail'
import { MAX_NORMALIZED_LENGTH } from 'sallyport-app/text'
import type { HeldKind } from '../../../core/factors/factor-kinds.ts'
import { MAIL_CODE_SECONDS, MAIL_CODE_LIMIT, MAIL_CODE_SEND_LIMIT } from '../mail-codes.ts'
import { FACTOR_LIMIT, MAIL_PASSWORD_SECONDS } from '../../../core/limits/limits.ts'
import { desk } from '../../../test/commands/desk.ts'
import { demanding } from '../../../test/demanding.ts'
import { HELD_BY_PARTS } from '../../../test/facts-of-parts.ts'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { normalizedLengths } from '../../../test/normalized-lengths.ts'
import { atDoor, DOOR, mailsOf } from '../../../test/flow/steps.ts'
import { failuresOf } from '../../../test/failures.ts'

const PATH = '/mail-code'
const SEND = '/mail-code/send'
const SUBJECT = /^Your code for signing in$/

interface Owner {
  readonly world: World
  readonly ada: Person
}

async function on(test: TestContext): Promise<Owner> {
  const world = await World.create(test, { mailCodes: true })
  return { world, ada: await world.person('ada', { factor: 'enabled' }) }
}

/** The code in the newest mail. */
function newestCode(world: World): string {
  const mail = world.mailbox.list().find(({ subject }) => SUBJECT.test(subject))
  return /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? ''
}

/** All that is counted, recorded or mailed. */
async function traces({ database, mailbox }: World): Promise<unknown> {
  const [attempts, events] = [database.selectFrom('attempt'), database.selectFrom('event')]
  return [await attempts.selectAll().execute(), await events.select('id').execute(), mailbox.list().length]
}

/** Somebody who typed wrong codes by mail until they are locked, and whose password is proven again. */
async function locked(owner: Owner): Promise<Browser> {
  const browser = owner.world.browser()
  for (let times = 0; times <= MAIL_CODE_LIMIT.failures; times += 1) {
    await browser.password(owner.ada)
    await browser.open(PATH)
    if (times < MAIL_CODE_LIMIT.failures) assert.equal((await type(browser, '0000 0000')).status, 422)
  }
  return browser
}

/** Proves the password and asks for a code. */
async function ask({ world, ada }: Owner): Promise<{ readonly browser: Browser; readonly code: string }> {
  const browser = await atDoor(world, ada, PATH)
  assert.equal((await browser.submit(SEND)).location, PATH)
  await browser.open(PATH)
  return { browser, code: newestCode(world) }
}

async function assertNotOffered({ world, ada }: Owner): Promise<void> {
  const browser = await atDoor(world, ada)
  assert.doesNotMatch((await browser.open(DOOR)).html, /Code by email/)
  assert.equal((await browser.open(PATH)).location, DOOR)
  for (const path of [SEND, PATH]) {
    await browser.open(DOOR)
    assert.equal((await browser.submit(path, { code: '0000 0000' })).location, DOOR)
  }
  assert.deepEqual(world.mailbox.list(), [])
}

function type(browser: Browser, code: string): Promise<Page> {
  return browser.submit(PATH, { code })
}

describe('a code by mail', () => {
  it('is off by default: neither shown nor there [RA-0701]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)

    const { html } = await browser.open('/login/2fa')
    await browser.submit('/login/2fa/choose', { factor: 'mail' })

    assert.doesNotMatch(html, /Code by email/)
    assert.equal((await browser.open('/login/2fa')).status, 200)
    for (const path of [PATH, SEND]) assert.equal((await browser.submit(path)).status, 404, path)
    assert.equal((await browser.open(PATH)).status, 404)
  })

  it('is offered last in the list of factors, says that it is weaker, signs in after the password, and confirms no protected action [RA-0701 RA-1401]', async (test) => {
    const { world, ada } = await on(test)
    const browser = world.browser()
    await browser.password(ada)

    const door = await browser.open('/login/2fa')
    const page = await browser.open(PATH)
    await browser.submit(SEND)
    await browser.open(PATH)
    const entered = await type(browser, newestCode(world))

    assert.match(door.html, /<h1>Enter your code<\/h1>[^]*href="\/mail-code"/)
    assert.match(page.html, /Email codes are less secure/)
    assert.equal(entered.location, '/account')
    const { html } = await browser.open('/account/security/add', { follow: true })
    assert.match(html, /name="code"/, 'it is no factor that was proven')
    assert.equal(mailsOf(world, SUBJECT), 1)
    assert.deepEqual(
      (await world.events(ada)).filter((kind) => kind.startsWith('mail-code')),
      ['mail-code-sent', 'mail-code-used'],
    )
  })

  it('that cannot be one is refused at once, of any length, and is no attempt [RA-0701 MEND-01]', async (test) => {
    const { world, ...owner } = await on(test)
    const { browser, code } = await ask({ world, ...owner })
    const before = await traces(world)
    const lengths = normalizedLengths(test)

    for (const typed of ['', '123456', '123456789', '1234567a', 'a\u0316\u0301'.repeat(10_000)]) {
      const page = await type(browser, typed)
      assert.equal(page.status, 422, typed)
      assert.match(page.html, /id="code-error">(?:Fill in|Eight digits are needed)/)
    }

    assert.deepEqual(await traces(world), before)
    assert.ok(Math.max(...lengths) <= MAX_NORMALIZED_LENGTH)
    assert.equal((await type(browser, code)).location, '/account')
  })

  it('is limited in tries, and not sent while none is accepted, for pages and for programs; that locks no authenticator [RA-0701 RA-0802]', async (test) => {
    const owner = await on(test)
    const { world, ada } = owner
    const browser = await locked(owner)

    const shown = await browser.open(PATH)
    const refused = await browser.submit(SEND)
    const answer = await browser.submit(SEND, {}, { headers: { accept: 'application/json' } })

    assert.doesNotMatch(shown.html, /action="\/mail-code\/send"/)
    assert.match(shown.html, /Too many wrong codes/)
    assert.deepEqual([refused.status, answer.status], [429, 429])
    assert.notEqual(answer.headers.get('retry-after'), null)
    assert.equal(newestCode(world), '')
    assert.deepEqual(await failuresOf(world.database, 'mail-code-send:%'), [])
    const counted = await failuresOf(world.database, `factor:${ada.id}`)
    assert.ok(counted.length === MAIL_CODE_LIMIT.failures && counted.length < FACTOR_LIMIT.failures)
    assert.equal((await world.browser().signIn(ada)).location, '/account')
    world.clock.advance(MAIL_CODE_LIMIT.windowSeconds)
    const later = await ask(owner)
    assert.equal((await type(later.browser, later.code)).location, '/account')
  })

  it('is bound to its pending login: it works in no other session, and in no other login of the same one [RA-0701]', async (test) => {
    const owner = await on(test)
    const { browser, code } = await ask(owner)
    const other = await atDoor(owner.world, owner.ada, PATH)

    assert.equal((await type(other, code)).status, 422)
    assert.equal((await type(browser, code)).location, '/account')
    const later = await ask(owner)
    await later.browser.password(owner.ada)
    await later.browser.open(PATH)
    assert.equal((await type(later.browser, later.code)).status, 422)
  })

  it('ends with its time, at most ten minutes, and with its pending login [RA-0701]', async (test) => {
    assert.ok(MAIL_CODE_SECONDS <= 600)
    const owner = await on(test)
    const { world, ada } = owner
    const late = await ask(owner)
    // The row has expired, and the pending login has not.
    await world.database.updateTable('mail_code').set({ expires_at: world.clock.timestamp() }).execute()
    assert.equal((await type(late.browser, late.code)).status, 422)

    const { browser, code } = await ask({ world, ada })
    world.clock.advance(MAIL_CODE_SECONDS)
    assert.equal((await type(browser, code)).location, '/login')
    assert.equal(await browser.isSignedIn(), false)
  })

  it('is not sent any more when its mail has waited longer than it works [RA-0701 RA-3205]', async (test) => {
    const owner = await on(test)
    const { world } = owner
    const unreachable = test.mock.method(world.mailbox, 'send', () => Promise.reject(new Error('no server')))
    await ask(owner)
    unreachable.mock.restore()

    world.clock.advance(MAIL_CODE_SECONDS)
    await world.app.get(MailSender).sendDue()

    assert.equal(newestCode(world), '')
    assert.deepEqual(await world.database.selectFrom('mail').select('id').execute(), [])
  })

  it('is limited in sends, whatever the login [RA-0701]', async (test) => {
    const owner = await on(test)
    for (let times = 0; times < MAIL_CODE_SEND_LIMIT.failures; times += 1) await ask(owner)
    const browser = await atDoor(owner.world, owner.ada, PATH)

    const page = await browser.submit(SEND)

    assert.equal(page.status, 429)
    assert.equal(mailsOf(owner.world, SUBJECT), MAIL_CODE_SEND_LIMIT.failures)
  })

  it('is never offered where a rule asks for a factor, whether or not the account holds it, and counts for none [RA-0701]', async (test) => {
    const rules: readonly (readonly HeldKind[])[] = [HELD_BY_PARTS, ['totp', ...HELD_BY_PARTS]]
    for (const kinds of rules.filter(({ length }) => length > 0)) {
      const world = await World.create(test, { mailCodes: true, ...demanding({ kinds }) })
      await assertNotOffered({ world, ada: await world.person('ada', { factor: 'enabled' }) })

      assert.equal((await world.browser().password(await world.person('bob'))).location, '/enroll')
    }
  })

  it('is not offered when the mailbox set the password lately: that would be one proof [RA-0701 RA-1601]', async (test) => {
    const owner = await on(test)
    const { world, ada } = owner
    const byMail = { mail_password_at: world.clock.timestamp() }
    await world.database.updateTable('account').set(byMail).where('id', '=', ada.id).execute()

    await assertNotOffered(owner)

    world.clock.advance(MAIL_PASSWORD_SECONDS)
    assert.equal((await (await atDoor(world, ada)).open(PATH)).status, 200)
  })

  it('is stored hashed, and in no trail [RA-0701]', async (test) => {
    const owner = await on(test)
    const { browser, code } = await ask(owner)
    const digits = code.replace(' ', '')
    const { database } = owner.world

    const codes = await database.selectFrom('mail_code').selectAll().execute()
    const events = await database.selectFrom('event').selectAll().execute()

    assert.match(codes[0]?.hash ?? '', /^\$argon2id\$/)
    assert.equal(JSON.stringify([codes, events, await browser.session()]).includes(digits), false)
  })

  it('asks for the password first, and tells a signed-in or anonymous client nothing [RA-0701]', async (test) => {
    const { world, ada } = await on(test)
    const anonymous = world.browser()
    await anonymous.open('/login')

    assert.equal((await anonymous.submit(SEND)).location, '/login')
    assert.equal((await anonymous.open(PATH)).location, '/login')
    const inside = world.browser()
    await inside.signIn(ada)
    assert.equal((await inside.open(PATH)).location, '/account')
    assert.equal(await inside.isSignedIn(), true)
    assert.deepEqual(world.mailbox.list(), [])
  })
})

describe('the guide', () => {
  it('says that they are off, and weaker [FACTOR-40]', () => {
    const guide = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    assert.match(
      guide.replaceAll(/\s+/g, ' '),
      /codes by email are off unless `MAIL_CODES=1` switches them on, and pages and emails say that they are weaker/,
    )
  })
})

describe('npm start -- check', () => {
  it('warns of codes by mail where no mail can be sent [RA-3201 RA-3203]', async (test) => {
    const { text } = await desk(test, { MAIL_CODES: '1' }).run('check')

    assert.match(text, /^Warning: MAIL_CODES is on, and no mail can be sent: set SMTP_URL and MAIL_FROM\.$/m)
    assert.doesNotMatch((await desk(test).run('check')).text, /MAIL_CODES/)
  })
})
