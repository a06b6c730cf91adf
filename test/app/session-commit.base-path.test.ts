import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Clock, type HttpContext } from 'sallyport'
import { AccountSessions, SessionAuthentication } from 'sallyport/auth'
import { MemorySessionStore, SessionPolicy, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import { site } from './fixture.ts'

const HTTPS = { origin: 'https://app.test' } as const
const answers = {
  'GET /': async (context: HttpContext) => {
    await context.session().set('seen', true)
    context.cookies().set('theme', 'dark')
    context.cookies().set('__Host-proof', 'x')
    context.cookies().set('wide', 'x', { path: '/' })
    context.cookies().delete('old')
  },
}

async function linesOf(basePath: string | undefined, policy?: SessionPolicy): Promise<readonly string[]> {
  const app = site(answers, {
    ...(basePath === undefined ? {} : { basePath }),
    configure: (each) =>
      each.configure((definitions) => void (policy && definitions.set(SessionPolicy, policy))),
  })
  const response = await new TestClient(app, HTTPS).get(`${basePath ?? ''}/`)
  return response.headers.getSetCookie().map((line) => line.replace(/^(__Host-sid[^=]*)=[^;]+/, '$1=…'))
}

describe('Cookies of an application with a base path', () => {
  it('are of that path, removals as well, but those of the whole host [MEND-12]', async () => {
    const lines = await linesOf('/accounts')

    assert.deepEqual(
      lines.map((line) => [/^[^=]+/.exec(line)?.[0], /Path=([^;]+)/.exec(line)?.[1]]),
      [
        ['__Host-sid-accounts', '/'],
        ['theme', '/accounts'],
        ['__Host-proof', '/'],
        ['wide', '/'],
        ['old', '/accounts'],
      ],
    )
    assert.match(lines.find((line) => line.startsWith('old')) ?? '', /Max-Age=0/)
  })

  it('stay as they are without a base path [MEND-12]', async () => {
    for (const line of await linesOf(undefined)) assert.match(line, /Path=\/;/)
  })

  it('keep the name that the policy gives the session [MEND-12]', async () => {
    const named = new SessionPolicy({ cookieName: 'sid', idleSeconds: 60 })

    assert.match((await linesOf('/accounts', named))[0] ?? '', /^__Host-sid=…/)
  })

  it('have another session name below each path, and the policy tells it [MEND-12]', async () => {
    const names: string[] = []
    for (const basePath of ['/a-b', '/a/b', '/a']) {
      const app = site(answers, {
        basePath,
        configure: (each) =>
          each.configure((all) => all.set(SessionPolicy, new SessionPolicy({ idleSeconds: 60 }))),
      })
      await app.boot()
      const policy = app.get(SessionPolicy)
      names.push(policy.cookieName, policy.secureCookieName)
      assert.equal(policy.idleMilliseconds, 60_000)
    }

    assert.deepEqual(names, [
      'sid-a-b',
      '__Host-sid-a-b',
      'sid-a_b',
      '__Host-sid-a_b',
      'sid-a',
      '__Host-sid-a',
    ])
    const plain = site(answers)
    await plain.boot()
    assert.equal(plain.get(SessionPolicy).cookieName, 'sid')
  })

  it('leave to a policy that code outside of the application has what it keeps of sessions [MEND-12 ACCT-01]', async () => {
    const policy = new SessionPolicy({ idleSeconds: 60 })
    const store = new MemorySessionStore()
    const app = site(
      {
        'GET /': async (context) =>
          new SessionAuthentication().login(context.session(), context.auth(), 'ada', { name: 'Ada' }),
      },
      {
        basePath: '/accounts',
        configure: (each) => each.configure((all) => all.set(SessionPolicy, policy).set(SessionStore, store)),
      },
    )
    await new TestClient(app).get('/accounts/')

    const sessions = new AccountSessions(store, policy, app.get(Clock))

    assert.equal((await sessions.list('ada')).length, 1)
  })

  it('keep the session of a browser through both kinds of proxies [MEND-12]', async () => {
    const app = site(
      {
        'GET /': async (context) => context.session().set('a', 'kept'),
        'GET /a': (context) => context.session().get('a'),
      },
      { basePath: '/accounts' },
    )
    const client = new TestClient(app)
    await client.get('/accounts/')
    const cookie = `sid-accounts=${client.cookie('sid-accounts')}`

    for (const path of ['/accounts/a', '/a']) {
      const response = await app.fetch(new Request(`http://localhost${path}`, { headers: { cookie } }))
      assert.equal(await response.text(), 'kept')
    }
  })
})
