import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { generate } from 'otplib/functional'
import { type App, Clock } from 'sallyport'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { Accounts } from '../accounts.ts'
import { createApp } from '../app.ts'
import { FactorVault } from '../factor-vault.ts'

const PASSWORD = 'correct horse'
const clock = new FrozenClock('2026-01-31T12:00:00Z')

async function newApp(): Promise<App> {
  const app = await createApp(undefined, new MemorySessionStore({ clock }))
    .configure((definitions) => definitions.set(Clock, clock))
    .boot()
  await app.get(Accounts).add('ada@example.com', PASSWORD)
  return app
}

async function textOf(client: TestClient, path: string): Promise<string> {
  return (await client.get(path)).text()
}

/** Sends the form of a page, with the CSRF token of the page. */
async function submit(
  client: TestClient,
  page: string,
  fields: Record<string, string>,
  action = page,
): Promise<Response> {
  const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(await textOf(client, page)) ?? []
  return client.post(action, { form: { _csrf: token, ...fields }, follow: true })
}

function signIn(client: TestClient, password = PASSWORD): Promise<Response> {
  return submit(client, '/sign-in', { email: 'ada@example.com', password })
}

/** Signs in and switches the second step on. */
async function withFactor(app: App) {
  const client = new TestClient(app)
  await signIn(client)
  let secret = ''
  const code = (): Promise<string> => generate({ secret, epoch: clock.timestamp() })
  const page = await textOf(client, '/account/factor')
  secret = /<code>(\w+)<\/code>/.exec(page)?.[1] ?? ''
  const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(page) ?? []
  const form = { _csrf: token, password: PASSWORD, code: await code() }
  const shown = await (await client.post('/account/factor', { form })).text()
  const recoveryCodes = [...shown.matchAll(/<code>([\d-]+)<\/code>/g)].map(([, each = '']) => each)
  // The code that switched it on works only once.
  clock.advance(30)
  return { client, code, secret, recoveryCodes }
}

describe('notes', () => {
  it('are for users who are signed in', async () => {
    const client = new TestClient(await newApp())

    const response = await client.get('/notes')

    assert.equal(response.headers.get('location'), '/sign-in')
  })

  it('are added, changed and deleted', async () => {
    const client = new TestClient(await newApp())
    await signIn(client)

    const added = await submit(client, '/notes/new', { title: 'Tea', text: 'Green & black' })
    assert.match(await added.text(), /The note is saved\.[^]*Green &amp; black/)
    const changed = await submit(client, '/notes/1', { title: 'Coffee', text: '' })
    assert.match(await changed.text(), /Coffee/)
    const deleted = await submit(client, '/notes', {}, '/notes/1/delete')
    assert.match(await deleted.text(), /There are no notes yet/)
  })

  it('come back with what was typed', async () => {
    const client = new TestClient(await newApp())
    await signIn(client)

    const response = await submit(client, '/notes/new', { title: ' ', text: 'Kept' })

    assert.equal(response.status, 422)
    assert.match(await response.text(), /Enter a title[^]*Kept/)
  })

  it('of another account are not found', async () => {
    const app = await newApp()
    const ada = new TestClient(app)
    await signIn(ada)
    await submit(ada, '/notes/new', { title: 'Secret', text: '' })
    await app.get(Accounts).add('bob@example.com', 'battery staple')
    const bob = new TestClient(app)
    await submit(bob, '/sign-in', { email: 'bob@example.com', password: 'battery staple' })

    assert.equal((await bob.get('/notes/1')).status, 404)
  })

  it('are not changed by a form without a token', async () => {
    const client = new TestClient(await newApp())
    await signIn(client)

    assert.equal((await client.post('/notes/new', { form: { title: 'Tea', text: '' } })).status, 403)
  })
})

describe('sign-in', () => {
  it('refuses a wrong password, and after ten every password', async () => {
    const client = new TestClient(await newApp())

    for (let attempt = 0; attempt < 10; attempt++) assert.equal((await signIn(client, 'wrong')).status, 422)

    assert.equal((await signIn(client)).status, 429)
  })

  it('asks for a code when the second step is on, and accepts it once', async () => {
    const app = await newApp()
    const { code } = await withFactor(app)
    const used = await code()

    const other = new TestClient(app)
    assert.match(await (await signIn(other)).text(), /Enter your code/)
    assert.equal((await other.get('/notes')).headers.get('location'), '/sign-in')
    assert.match(await (await submit(other, '/sign-in/code', { code: used })).text(), /<h1>Notes/)

    const third = new TestClient(app)
    await signIn(third)
    assert.equal((await submit(third, '/sign-in/code', { code: used })).status, 422)
  })

  it('starts again when the code comes too late', async () => {
    const app = await newApp()
    await withFactor(app)
    const late = new TestClient(app)
    await signIn(late)

    clock.advance(300)

    assert.equal((await late.get('/sign-in/code')).headers.get('location'), '/sign-in')
  })

  it('accepts each of eight recovery codes once, and says how many are left', async () => {
    const app = await newApp()
    const { recoveryCodes } = await withFactor(app)
    const [code = ''] = recoveryCodes
    assert.equal(new Set(recoveryCodes).size, 8)

    const use = async (): Promise<Response> => {
      const client = new TestClient(app)
      await signIn(client)
      return submit(client, '/sign-in/code', { code })
    }

    const [one, other] = await Promise.all([use(), use()])

    assert.deepEqual([one.status, other.status].sort(), [200, 422])
    assert.match(await (one.status === 200 ? one : other).text(), /Codes left: 7\./)
  })
})

describe('the second step', () => {
  it('is switched on by the password and a code, and ends other sessions', async () => {
    const app = await newApp()
    const other = new TestClient(app)
    await signIn(other)
    const wrong = await submit(other, '/account/factor', { password: 'wrong', code: '123456' })
    assert.equal(wrong.status, 422)

    await withFactor(app)

    assert.equal((await other.get('/notes')).headers.get('location'), '/sign-in')
  })

  it('has a secret that the database does not show, and that no other account can use', async () => {
    const app = await newApp()
    const { secret } = await withFactor(app)

    const row = app.get(DatabaseSync).prepare('SELECT factor_secret FROM account').get()
    const sealed = String(row?.factor_secret)

    assert.doesNotMatch(sealed, new RegExp(secret))
    assert.equal(app.get(FactorVault).open(1, sealed), secret)
    assert.throws(() => app.get(FactorVault).open(2, sealed))
  })

  it('is switched off by the password and a code, and by nothing less', async () => {
    const app = await newApp()
    const { client, code } = await withFactor(app)
    const off = async (fields: Record<string, string>): Promise<Response> =>
      submit(client, '/account/factor', fields, '/account/factor/off')

    assert.equal((await off({ password: 'wrong', code: await code() })).status, 422)
    assert.equal((await off({ password: PASSWORD, code: '000000' })).status, 422)
    assert.match(
      await (await off({ password: PASSWORD, code: await code() })).text(),
      /The second step is off/,
    )

    assert.match(await (await signIn(new TestClient(app))).text(), /<h1>Notes/)
  })

  it('gets new recovery codes, and the former ones are worth nothing', async () => {
    const app = await newApp()
    const { client, code, recoveryCodes } = await withFactor(app)
    const fields = { password: PASSWORD, code: await code() }

    const shown = await submit(client, '/account/factor', fields, '/account/factor/codes')
    assert.match(await shown.text(), /Your recovery codes/)

    const other = new TestClient(app)
    await signIn(other)
    assert.equal((await submit(other, '/sign-in/code', { code: recoveryCodes[0] ?? '' })).status, 422)
  })
})

describe('the list of accounts', () => {
  it('is for those who have the permission', async () => {
    const app = await newApp()
    const client = new TestClient(app)
    await signIn(client)
    assert.equal((await client.get('/accounts')).status, 403)

    app.get(Accounts).grant('ada@example.com', 'accounts.read')

    assert.match(await textOf(client, '/accounts'), /ada@example\.com, password only/)
  })
})
