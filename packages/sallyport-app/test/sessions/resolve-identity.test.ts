import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import {
  type AccountIdentity,
  type CurrentCredentials,
  keepCredentialVersion,
  keptCredentialVersion,
  ResolveIdentity as AnyResolveIdentity,
} from 'sallyport-app/sessions'
import { TestClient } from 'sallyport/testing'

const ID = 'ada'

/** The credentials of Ada, as they are; null while she may not sign in. */
class Credentials {
  current: CurrentCredentials | null = { credentialVersion: 1, changedBy: null }
  /** How many sessions they have ended. */
  ended: number = 0
}

class ResolveIdentity extends AnyResolveIdentity {
  readonly #credentials = inject(Credentials)

  protected async identityOf(): Promise<AccountIdentity | null> {
    const { current } = this.#credentials
    return current && { ...current, principal: { name: 'Ada' }, permissions: ['notes.read'] }
  }

  protected async tellEnded(): Promise<void> {
    this.#credentials.ended += 1
  }
}

class HomeController extends Controller {
  static readonly actions: Actions<HomeController> = { index: [], enterPost: [] }

  readonly #sessions = inject(SessionAuthentication)

  /** Says whether somebody is there, and the version of the session. */
  async index(): Promise<Response> {
    const { context } = this
    const version = await keptCredentialVersion(context.session())
    return this.json([context.auth().allows('notes.read'), version])
  }

  async enterPost(): Promise<string> {
    const session = this.context.session()
    await keepCredentialVersion(session, 1, 'mine')
    await this.#sessions.login(session, this.context.auth(), ID, {})
    return 'in'
  }
}

const home = defineModule('Home', (module) =>
  module
    .withoutConventionRouting()
    .controllers(HomeController)
    .middleware(ResolveIdentity)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index'])
      routes.post('/enter', [HomeController, 'enterPost'])
    }),
)

interface Visit {
  readonly credentials: Credentials
  readonly look: () => Promise<unknown>
}

async function signedIn(): Promise<Visit> {
  const credentials = new Credentials()
  const app = App.default()
    .modules(home)
    .configure((definitions) => definitions.set(Credentials, credentials))
  const browser = new TestClient(app)
  await browser.request('POST', '/home/enter')
  return { credentials, look: async () => (await browser.get('/home')).json() }
}

describe('ResolveIdentity', () => {
  it('establishes the account of a session that was begun with its credentials', async () => {
    const { look } = await signedIn()

    assert.deepEqual(await look(), [true, 1])
  })

  it('ends a session once its credentials were changed elsewhere, and says so', async () => {
    const { credentials, look } = await signedIn()
    credentials.current = { credentialVersion: 2, changedBy: 'another' }

    assert.deepEqual(await look(), [false, 1])
    assert.equal(credentials.ended, 1)
  })

  it('goes on in the session that has changed them, also in a request that came too early to know', async () => {
    const { credentials, look } = await signedIn()
    credentials.current = { credentialVersion: 2, changedBy: 'mine' }

    assert.deepEqual(await look(), [true, 2])
    assert.equal(credentials.ended, 0)
  })

  it('is nobody while the account may not sign in, whose session stays', async () => {
    const { credentials, look } = await signedIn()
    credentials.current = null

    assert.deepEqual(await look(), [false, 1])
    credentials.current = { credentialVersion: 1, changedBy: null }
    assert.deepEqual(await look(), [true, 1])
  })

  it('is what tells requests who they are, and nothing of the package signs in [RA-2706]', () => {
    const source = new URL('../../src/', import.meta.url)
    const calling = (call: string): readonly string[] =>
      readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.startsWith('testing/'))
        .filter((file) => readFileSync(new URL(file, source), 'utf8').includes(call))

    assert.deepEqual(calling('.authenticate('), ['sessions/resolve-identity.ts'])
    assert.deepEqual(calling('.login('), [])
  })
})
