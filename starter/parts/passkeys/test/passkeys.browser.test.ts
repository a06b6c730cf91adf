import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { CDPSession } from 'playwright-core'
import {
  Authenticator,
  layAccounts,
  type Person,
  StarterProcess,
} from '../../../test/crash/starter-process.ts'
import { freePort } from '../../../test/free-port.ts'
import { launchBrowser, missingBrowser } from '../../../test/browser/chromium.ts'
import { Visit } from '../../../test/browser/visit.ts'
import { type OpenWindow, World } from '../../../test/browser/world.ts'

const skip = missingBrowser ?? false

/** A person at a browser with an authenticator of its own. */
interface Desk {
  readonly visit: Visit
  readonly open: OpenWindow
  readonly ada: Person
  readonly app: Authenticator
  /** What the starter wrote. */
  readonly printed: () => string
  readonly devtools: CDPSession
  readonly key: string
  readonly signIn: () => Promise<void>
}

interface KeyOptions {
  readonly hasResidentKey?: boolean
  readonly hasUserVerification?: boolean
}

// Passkeys are bound to a name, so the browser goes to `localhost`, and the starter knows its port.
async function begin(test: TestContext, world: World, options: KeyOptions = {}): Promise<Desk> {
  const { starter, ada, port } = await startFor(test)
  const open = world.windows(test, starter)
  return sitDown({ open, starter, ada, url: `http://localhost:${port}` }, options)
}

// The default port of the host, as the browser sees it.
async function beginAlone(test: TestContext): Promise<Desk> {
  const url = 'http://localhost'
  const { starter, ada, port } = await startFor(test, { ORIGIN: url })
  const browser = await launchBrowser({ hosts: `MAP localhost:80 127.0.0.1:${port}` })
  const closing: (() => void | Promise<void>)[] = []
  test.after(async () => {
    for (const close of closing) await close()
    await browser.close()
    await starter.stop()
  })
  const open: OpenWindow = (options) =>
    Visit.begin({ after: (hook) => void closing.push(hook) }, browser, { url, ...options })
  return sitDown({ open, starter, ada, url })
}

interface Started {
  readonly starter: StarterProcess
  readonly ada: Person
  readonly port: number
}

async function startFor(
  test: TestContext,
  variables: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-passkeys-'))
  test.after(() => rmSync(directory, { recursive: true, force: true }))
  const [ada] = await layAccounts(directory, [{ name: 'Ada', email: 'ada@sallyport.test' }])
  assert.ok(ada !== undefined)
  const port = await freePort()
  return { starter: await StarterProcess.start({ directory, port, variables }), ada, port }
}

async function sitDown(
  { open, starter, ada, url }: Omit<Started, 'port'> & { readonly open: OpenWindow; readonly url: string },
  { hasResidentKey = true, hasUserVerification = true }: KeyOptions = {},
): Promise<Desk> {
  const visit = await open({ url })
  const devtools = await visit.page.context().newCDPSession(visit.page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: key } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: hasResidentKey ? 'internal' : 'usb',
      hasResidentKey,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  })
  const app = new Authenticator(ada)
  const signIn = async (): Promise<void> => {
    await visit.open('/login')
    await visit.enterPassword(ada)
    await visit.enterCode(await app.next())
  }
  return { visit, open, ada, app, printed: () => starter.output, devtools, key, signIn }
}

async function addKey({ visit }: Desk): Promise<void> {
  await visit.open('/account/passkeys/new')
  await visit.page.getByLabel('Name').fill('Blue key')
  const list = await visit.click('button', 'Add a passkey')
  assert.match(list.notice, /The passkey was added/)
}

async function kept({ devtools, key: authenticatorId }: Desk): Promise<number> {
  return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
}

async function removeKey({ visit }: Desk): Promise<void> {
  await visit.after(() =>
    visit.page
      .getByRole('link', { name: /^Remove.*Blue key/ })
      .first()
      .click(),
  )
  await visit.click('button', 'Remove')
}

async function signOut({ visit }: Desk): Promise<void> {
  await visit.open('/account')
  await visit.click('button', 'Sign out')
}

describe('passkeys in a browser', { skip }, () => {
  const world = new World()

  it('one that verifies its user is added by its name, and then is the whole login [RA-1201 RA-2901]', async (test) => {
    const desk = await begin(test, world)
    await desk.signIn()
    await addKey(desk)
    assert.match(await desk.visit.page.content(), /Signs in without a password/)
    const { credentials } = await desk.devtools.send('WebAuthn.getCredentials', { authenticatorId: desk.key })
    assert.deepEqual(
      credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId]),
      [[true, 'localhost']],
    )
    // The browser offers it where addresses are listed, and this authenticator accepts at once.
    await desk.visit.open('/account')
    await desk.visit.page.getByRole('button', { name: 'Sign out' }).first().click()
    await desk.visit.page.waitForURL(/\/account$/)
    await desk.visit.page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    const account = await desk.visit.sight()

    assert.deepEqual([account.path, account.heading], ['/account', 'Hello, Ada'])
  })

  it('the browser forgets one that was removed, where the host has nothing but the application [RA-1201]', async (test) => {
    const desk = await beginAlone(test)
    await desk.signIn()
    await addKey(desk)
    assert.equal(await kept(desk), 1)

    await removeKey(desk)

    while ((await kept(desk)) > 0) await desk.visit.page.waitForTimeout(50)
  })

  it('the browser keeps all of them where others may be on the host, whose they may be [RA-1201 RA-2901]', async (test) => {
    const desk = await begin(test, world)
    const { visit, devtools, key: authenticatorId } = desk
    await desk.signIn()
    await addKey(desk)
    await removeKey(desk)
    await visit.page.waitForTimeout(1000)
    assert.equal(await kept(desk), 1)
    // Touched without end, it would be offered and refused again and again.
    const touch = (enabled: boolean): Promise<unknown> =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    await touch(false)
    await signOut(desk)
    await visit.open('/login')
    await touch(true)
    const refused = visit.page.waitForResponse((response) => response.url().endsWith('/passkey'))
    await visit.page.getByRole('button', { name: 'Sign in with a passkey' }).click({ noWaitAfter: true })
    await refused
    await touch(false)
    await visit.page.getByText('This site does not know that passkey').waitFor({ timeout: 10_000 })
    await visit.page.waitForTimeout(1000)

    assert.equal(await kept(desk), 1)
  })

  it('a security key without a PIN opens the second door, and is asked for by its kind [RA-1201 RA-0301 RA-0504]', async (test) => {
    const desk = await begin(test, world, { hasResidentKey: false, hasUserVerification: false })
    await desk.signIn()
    await addKey(desk)
    assert.match(await desk.visit.page.content(), /Second step only/)
    await signOut(desk)
    await desk.visit.open('/login')
    const first = await desk.visit.enterPassword(desk.ada)
    const door = await desk.visit.click('button', 'Use this: Passkey or security key “Blue key”')
    const account = await desk.visit.click('button', 'Use passkey')

    assert.equal(first.heading, 'Enter your code')
    assert.equal(door.path, '/passkey/second-step')
    assert.deepEqual([account.path, account.heading], ['/account', 'Hello, Ada'])
    const again =
      (await signOut(desk), await desk.visit.open('/login'), await desk.visit.enterPassword(desk.ada))
    assert.equal(again.path, '/passkey/second-step')
  })

  it('an authenticator that is registered already says so, and nothing is added [RA-1201]', async (test) => {
    const desk = await begin(test, world)
    await desk.signIn()
    await addKey(desk)
    await desk.visit.open('/account/passkeys/new')
    await desk.visit.page.getByLabel('Name').fill('Twice')
    await desk.visit.page.getByRole('button', { name: 'Add a passkey' }).click()

    await desk.visit.page.getByText('This passkey is registered already.').waitFor()
    assert.equal((await desk.visit.sight()).path, '/account/passkeys/new')
  })

  it('without an answer the page says so, the button works again, and other factors stay [RA-0303 RA-0501]', async (test) => {
    const desk = await begin(test, world, { hasResidentKey: false, hasUserVerification: false })
    await desk.signIn()
    await addKey(desk)
    await signOut(desk)
    await desk.visit.open('/login')
    await desk.visit.enterPassword(desk.ada)
    await desk.visit.open('/passkey/second-step')
    await desk.devtools.send('WebAuthn.setUserVerified', { authenticatorId: desk.key, isUserVerified: false })
    await desk.devtools.send('WebAuthn.clearCredentials', { authenticatorId: desk.key })
    await desk.visit.page.getByRole('button', { name: 'Use passkey' }).click()
    await desk.visit.page.getByText('The browser got no answer from a passkey').waitFor()

    const code = await desk.visit.after(() =>
      desk.visit.page.getByRole('button', { name: /^Use this: Authenticator app/ }).click(),
    )

    assert.deepEqual([code.path, code.heading], ['/login/2fa', 'Enter your code'])
  })

  it('npm start prints an address where passkeys work, and the one without a name links to it [RA-1201 RA-2902]', async (test) => {
    const desk = await begin(test, world)
    const printed = /Sallyport starter: (\S+)/.exec(desk.printed())?.[1] ?? ''
    const { port } = new URL(printed)
    await desk.signIn()
    const unnamed = await desk.open({ url: `http://127.0.0.1:${port}` })
    await unnamed.open('/login')
    await unnamed.enterPassword(desk.ada)
    await unnamed.enterCode(await desk.app.next())
    await unnamed.open('/account/passkeys/new')
    const page = unnamed.page.getByRole('main')
    const words = await page.innerText()

    assert.equal(printed, `http://localhost:${port}`)
    assert.match(words, /No passkey can be added at this address/)
    assert.doesNotMatch(words, /This browser cannot/)
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
    const link = page.getByRole('link', { name: `${printed}/account/passkeys/new` })
    assert.equal(await link.getAttribute('href'), `${printed}/account/passkeys/new`)
    await addKey(desk)
  })

  it('at an address that is no name of the site, and without script, the login page has no button [RA-2902]', async (test) => {
    const desk = await begin(test, world)
    await desk.visit.open('/login')
    const { port } = new URL(desk.visit.page.url())
    const elsewhere = await desk.open({ url: `http://127.0.0.1:${port}` })
    const plain = await desk.open({
      url: `http://localhost:${port}`,
      javaScriptEnabled: false,
    })
    for (const visit of [elsewhere, plain]) {
      await visit.open('/login')
      assert.equal(
        await visit.page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(),
        false,
      )
      assert.equal((await visit.enterPassword(desk.ada)).heading, 'Enter your code')
    }
    assert.equal(
      await desk.visit.page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(),
      true,
    )
  })
})
