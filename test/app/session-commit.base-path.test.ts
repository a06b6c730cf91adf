import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type App, Clock, type HttpContext } from 'sallyport'
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

describe('The session cookies of applications on one host', () => {
  const counting = {
    'GET /': async (context: HttpContext) => {
      const seen = ((await context.session().get('seen')) as number | undefined) ?? 0
      await context.session().set('seen', seen + 1)
      return String(seen)
    },
  }

  it('do not overwrite each other: neither on two ports nor below two paths [MEND-09]', async () => {
    const places = [
      ['http://localhost', '', 'sid'],
      ['http://localhost:80', '/3000', 'sid_3000'],
      ['http://localhost:3000', '', 'sid-3000'],
      ['http://localhost:3001', '', 'sid-3001'],
      ['http://localhost:3001', '/a', 'sid-3001_a'],
      ['http://localhost', '/a-3001', 'sid_a-3001'],
      ['https://localhost:443', '', '__Host-sid'],
      ['https://localhost:3000', '', '__Host-sid-3000'],
    ] as const
    const jar = new Map<string, string>()
    const sites = places.map(([origin, basePath, name]) => {
      const app = site(counting, basePath === '' ? {} : { basePath })
      return { url: `${origin}${basePath}/`, name, app }
    })

    for (const seen of ['0', '1'])
      for (const { url, name, app } of sites) {
        const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
        const response = await app.fetch(new Request(url, { headers: { cookie } }))
        const [set = ''] = response.headers.getSetCookie()
        const [, given, value = ''] = /^([^=]+)=([^;]*);/.exec(set) ?? []

        assert.equal(await response.text(), seen, url)
        if (seen === '0') assert.equal(given, name)
        if (given !== undefined) jar.set(given, value)
      }
    assert.equal(jar.size, 8)
  })

  it('have the name that the policy gives them on every port, and one area in the store [MEND-09]', async () => {
    const store = new MemorySessionStore()
    const at = (policy: SessionPolicy): App =>
      site(counting, {
        configure: (each) => each.configure((all) => all.set(SessionPolicy, policy).set(SessionStore, store)),
      })
    const setBy = async (app: App, url: string): Promise<string> =>
      (await app.fetch(new Request(url))).headers.getSetCookie()[0] ?? ''
    const unnamed = at(new SessionPolicy())
    const [, id = ''] = /=([^;]*)/.exec(await setBy(unnamed, 'http://localhost:3000/')) ?? []

    const named = await setBy(at(new SessionPolicy({ cookieName: 'sid' })), 'http://localhost:3000/')
    const moved = await unnamed.fetch(
      new Request('http://localhost:3001/', { headers: { cookie: `sid-3001=${id}` } }),
    )

    assert.match(named, /^sid=/)
    assert.equal(await moved.text(), '1')
  })
})

describe('Cookies of an application with a base path', () => {
  it('are of that path, removals as well, but those of the whole host [MEND-12]', async () => {
    const lines = await linesOf('/accounts')

    assert.deepEqual(
      lines.map((line) => [/^[^=]+/.exec(line)?.[0], /Path=([^;]+)/.exec(line)?.[1]]),
      [
        ['__Host-sid_accounts', '/'],
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
      names.push(policy.cookieNameAt('http://app.test'), policy.cookieNameAt('https://app.test'))
      assert.equal(policy.idleMilliseconds, 60_000)
    }

    assert.deepEqual(names, [
      'sid_a-b',
      '__Host-sid_a-b',
      'sid_a_b',
      '__Host-sid_a_b',
      'sid_a',
      '__Host-sid_a',
    ])
    const plain = site(answers)
    await plain.boot()
    assert.equal(plain.get(SessionPolicy).cookieNameAt('http://app.test'), 'sid')
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
    const cookie = `sid_accounts=${client.cookie('sid_accounts')}`

    for (const path of ['/accounts/a', '/a']) {
      const response = await app.fetch(new Request(`http://localhost${path}`, { headers: { cookie } }))
      assert.equal(await response.text(), 'kept')
    }
  })
})
