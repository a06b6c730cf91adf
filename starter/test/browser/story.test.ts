import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { Authenticator, type Person } from '../crash/starter-process.ts'
import { missingBrowser } from './chromium.ts'
import type { DomGlobals } from './dom.ts'
import type { Visit } from './visit.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const PRIVATE = /demo@sallyport\.test|Recent activity|Audit trail/

describe('the story of the demo account in a browser', { skip }, () => {
  const world = new World()

  for (const javaScriptEnabled of [true, false]) {
    it(`from a guarded page through both doors and out, ${javaScriptEnabled ? 'with' : 'without'} scripts [AUTH-25 TOPO-02 FLOW-03 FLOW-30 FLOW-33 FLOW-45 FLOW-46]`, async (test) => {
      const { starter, visit: open } = await world.start(test)
      const visit = await open({ javaScriptEnabled })
      const { demo } = starter

      assert.equal((await visit.open('/')).heading, 'Sign in safely')
      const guarded = await visit.open('/account/security')
      assert.equal(guarded.path, '/login?return_url=%2Faccount%2Fsecurity')
      await passFirstDoor(visit, demo)
      await passSecondDoor(visit, demo)
      assert.equal((await visit.sight()).path, '/account/security', 'the page that was asked for first')
      assert.equal((await visit.click('link', 'Account')).status, 200)
      await leave(visit)
    })
  }

  it('a challenge that was cancelled, or never begun, leads back to the password [FLOW-38 FLOW-40]', async (test) => {
    const { starter, visit: open } = await world.start(test)
    const visit = await open()

    assert.equal((await visit.open('/login/2fa')).path, '/login')

    await visit.enterPassword(starter.demo)
    const cancelled = await visit.click('button', 'Cancel and start over')
    assert.equal(cancelled.path, '/login')
    assert.match(cancelled.notice, /cancel/i)
    assert.equal((await visit.open('/login/2fa')).path, '/login')

    await visit.enterPassword(starter.demo)
    const page = visit.page
    await page.context().clearCookies()
    const { status } = await visit.enterCode(await new Authenticator(starter.demo).next())
    assert.ok(status === 200 || status === 403, `a code without a login in the session: ${status}`)
    assert.equal((await visit.open('/account')).path, '/login')
  })

  for (const javaScriptEnabled of [true, false]) {
    it(`signs in a user who double-clicks, ${javaScriptEnabled ? 'at once' : 'at the next try, without scripts'}`, async (test) => {
      const { starter, visit: open } = await world.start(test)
      const visit = await open({ javaScriptEnabled })

      for (const delay of [20, 150]) {
        await visit.open('/login')
        await clickTwice(visit.page, starter.demo, delay)
        const { path } = await visit.open('/login/2fa')

        if (javaScriptEnabled) assert.equal(path, '/login/2fa')
        // Without the script the browser dropped the first answer, and with it the session that it made.
        else if (path === '/login') assert.equal((await visit.enterPassword(starter.demo)).path, '/login/2fa')
        await visit.click('button', 'Cancel and start over')
      }
    })
  }

  it('refuses every script, and reports it', async (test) => {
    const { visit: open } = await world.start(test)
    const visit = await open()
    await visit.open('/login')

    const ran = await visit.page.evaluate(() => {
      const page = globalThis as unknown as DomGlobals
      const script = page.document.createElement('script')
      script.textContent = 'globalThis.intruder = true'
      page.document.body.append(script)
      return page.intruder ?? false
    })

    assert.equal(ran, false)
    const problems = visit.problems()
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0] ?? '', /Content Security Policy/)
  })
})

describe('the back button', { skip }, () => {
  const world = new World({ keepsPages: true })

  it('shows nothing private after logout, even where the browser keeps pages alive [FLOW-48]', async (test) => {
    const { starter, visit: open } = await world.start(test)
    const visit = await open()
    assert.equal(
      await returnsAlive(visit.page, await publicPages(test)),
      true,
      'this browser keeps pages alive',
    )
    await visit.open('/account')
    await visit.enterPassword(starter.demo)
    await visit.enterCode(await new Authenticator(starter.demo).next())
    await visit.open('/account/security')
    await visit.open('/account')
    assert.match(await visit.page.locator('main').innerText(), PRIVATE)
    await visit.click('button', 'Sign out')
    visit.problems()

    for (const before of ['/account', '/account/security', '/account', '/login/2fa', '/login']) {
      await visit.page.goBack({ waitUntil: 'commit' })
      assert.equal(
        await visit.page.locator('h1').innerText(),
        'Sign in',
        `back to ${before}: ${visit.page.url()}`,
      )
      // What the page still loads would be refused once the starter has ended.
      await visit.page.waitForLoadState('load')
      assert.doesNotMatch(await visit.page.locator('body').innerText(), PRIVATE)
    }
  })

  it('does not revive a used challenge [FLOW-37]', async (test) => {
    const { starter, visit: open } = await world.start(test)
    const visit = await open()
    await visit.open('/login')
    await visit.enterPassword(starter.demo)
    await visit.enterCode(await new Authenticator(starter.demo).next())

    await visit.page.goBack()
    const back = await visit.sight()

    assert.equal(back.path, '/account', 'who is signed in is not asked again')
    assert.match(back.heading, /^Hello/)
  })
})

async function clickTwice(page: Page, { email, password }: Person, delay: number): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  const twice = page.getByRole('button', { name: 'Continue' }).dblclick({ delay })
  await Promise.all([page.waitForEvent('load'), twice])
  await page.waitForLoadState('networkidle')
}

async function passFirstDoor(visit: Visit, person: Person): Promise<void> {
  const wrong = await visit.enterPassword(person, 'two doors')
  assert.equal(wrong.status, 422)
  assert.match(wrong.alert, /\S/, 'the error is announced')
  assert.equal(wrong.focus, 'password', 'the person can type at once')
  await assertInvalid(visit.page, 'email')
  await assertInvalid(visit.page, 'password')
  assert.equal(
    await visit.page.locator('[name=email]').inputValue(),
    person.email,
    'the address is still there',
  )
  assert.equal(await visit.page.locator('[name=password]').inputValue(), '', 'the password is not')

  const held = await visit.enterPassword(person)
  assert.deepEqual([held.path, held.status, held.focus], ['/login/2fa', 200, 'code'])
  assert.equal((await visit.open('/account')).path, '/login', 'between the doors nobody is anybody')
  assert.equal(await visit.page.getByRole('button', { name: 'Sign out' }).count(), 0)
  assert.equal((await visit.open('/login/2fa')).status, 200)
}

async function passSecondDoor(visit: Visit, person: Person): Promise<void> {
  const authenticator = new Authenticator(person)
  const wrong = await visit.enterCode(await authenticator.wrong())
  assert.deepEqual([wrong.path, wrong.status, wrong.focus], ['/login/2fa', 422, 'code'])
  assert.match(wrong.alert, /4 attempts/)
  await assertInvalid(visit.page, 'code')

  const code = await authenticator.next()
  const inside = await visit.enterCode(`${code.slice(0, 3)} ${code.slice(3)}`)
  assert.equal(inside.status, 200)
  assert.equal(inside.heading, 'Sign-in and security')

  const cookies = await visit.page.context().cookies()
  const shapes = cookies.map(({ name, httpOnly, sameSite, path }) => ({
    name: name.replace(/-\d+$/, ''),
    httpOnly,
    sameSite,
    path,
  }))
  const ours = { httpOnly: true, sameSite: 'Lax', path: '/' }
  assert.deepEqual(shapes, [{ name: 'sid', ...ours }], 'scripts see no cookie')
  const { origins } = await visit.page.context().storageState()
  assert.deepEqual(origins, [], 'nothing is kept in the storage of the browser')
}

async function leave(visit: Visit): Promise<void> {
  const out = await visit.click('button', 'Sign out')
  assert.deepEqual([out.path, out.status], ['/login', 200])
  assert.match(out.notice, /signed out/)
  assert.equal((await visit.open('/account')).path, '/login')
  await visit.page.goBack()
  assert.doesNotMatch(await visit.page.locator('body').innerText(), PRIVATE)
  // What the page still loads would be refused once the starter has ended.
  await visit.page.waitForLoadState('networkidle')
}

async function assertInvalid(page: Page, field: string): Promise<void> {
  const input = page.locator(`[name=${field}]`)
  assert.equal(await input.getAttribute('aria-invalid'), 'true', `${field} is marked as wrong`)
  const described = (await input.getAttribute('aria-describedby')) ?? ''
  const texts = await Promise.all(described.split(' ').map((id) => page.locator(`#${id}`).innerText()))
  const error = await page.locator('.error:visible').innerText()
  assert.ok(texts.includes(error), `${field} is described by its error`)
}

// Pages without no-store, which a browser that keeps pages does keep.
async function publicPages(test: TestContext): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  // Another hook that fails before this one must not keep the process alive.
  server.unref()
  test.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}`
}

async function returnsAlive(page: Page, url: string): Promise<boolean> {
  await page.goto(`${url}/one`)
  await page.evaluate(() => {
    const global = globalThis as unknown as DomGlobals
    global.addEventListener('pageshow', ({ persisted }) => (global.restored = persisted))
  })
  await page.goto(`${url}/two`)
  // A page that comes back alive is not loaded again.
  await page.goBack({ waitUntil: 'commit' })
  return page.evaluate(() => (globalThis as unknown as DomGlobals).restored ?? false)
}
