import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, type HttpContext, MiddlewareBands } from 'sallyport'
import { ForbiddenException, type Next, UnauthorizedException } from 'sallyport/http'
import type { Actions } from 'sallyport/routing'
import { TestClient } from 'sallyport/testing'

import { site } from '../app/fixture.ts'

const root = new URL('../../', import.meta.url)
const src = new URL('src/', root)

/** Every file of the framework, by path below src/. */
async function sources(): Promise<Map<string, string>> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(new URL(name, src), 'utf8')] as const)),
  )
}

/** Everything that an application can import: each entry of the package with the names it exports. */
async function exported(): Promise<Map<string, string[]>> {
  const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    exports: Record<string, unknown>
  }
  const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
  return new Map(
    await Promise.all(
      entries.map(async (entry) => {
        const source = (manifest.exports[entry] as { 'sallyport-source': string })['sallyport-source']
        // Values by importing, types by reading: both are names of the interface.
        const names = [
          ...(await readFile(new URL(source, root), 'utf8')).matchAll(/(?:[{,]|type)\s*(\w+)(?=\s*[,}])/g),
        ].map(([, name = '']) => name)
        const values = Object.keys((await import(new URL(source, root).href)) as object)
        return [entry, [...new Set([...values, ...names])]] as [string, string[]]
      }),
    ),
  )
}

async function names(): Promise<string[]> {
  return [...(await exported()).values()].flat()
}

describe('what the framework owns', () => {
  it('delivers identity, permissions, session login, credentials, hashing, CSRF, override, routing and URLs [SCOPE-04]', async () => {
    const entries = await exported()

    for (const [entry, wanted] of [
      ['./auth', ['Authentication', 'PermissionSet', 'SessionAuthentication', 'PasswordHasher']],
      ['./http', ['Authorization']],
      ['./csrf', ['Csrf']],
      [
        './middleware',
        ['CsrfMiddleware', 'MethodOverrideMiddleware', 'BasicAccessMiddleware', 'RouteLocale'],
      ],
      ['./routing', ['Router', 'TrailingSlash', 'RouteRequest']],
      ['.', ['App', 'HttpContext']],
    ] as const) {
      for (const name of wanted) assert.ok(entries.get(entry)?.includes(name), `${entry} has no ${name}`)
    }
  })

  it('exports no class and no interface that describes a user [SCOPE-01]', async () => {
    // These describe sessions, whose account is a reference: ACCT-01.
    const sessions = ['AccountSession', 'AccountSessions']
    const found = (await names()).filter(
      (name) => /user|account|person|customer|member$/i.test(name) && !sessions.includes(name),
    )

    assert.deepEqual(found, [])
  })

  it('looks up no account and checks no pair of email and password [SCOPE-02]', async () => {
    // input/ names the formats of schema libraries; "email" is one.
    const found = [...(await sources())].filter(([name, text]) => {
      const code = text.replace(/\/\*\*?[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
      const isLookup = /findBy|findUser|loadUser|authenticationIdentity/i.test(code)
      return isLookup || (!name.startsWith('input/') && /\bemail\b/i.test(code))
    })

    assert.deepEqual(
      found.map(([name]) => name),
      [],
    )
  })

  it('exports no role, policy of a domain or voter [SCOPE-03]', async () => {
    const found = (await names()).filter(
      (name) => /role|voter|acl$|ability|owner/i.test(name) && name !== 'ParameterRole',
    )

    assert.deepEqual(found, [])
  })

  it('exports nothing of second factors, and has no package of them [SCOPE-09 SCOPE-10]', async () => {
    const entries = await exported()

    assert.deepEqual(
      [...entries.keys()].filter((entry) => /2fa|factor|totp|otp|webauthn/i.test(entry)),
      [],
    )
    assert.deepEqual(
      [...entries.values()].flat().filter((name) => /factor|totp|hotp|otp$|webauthn|passkey|2fa/i.test(name)),
      [],
    )
  })

  it('computes no one-time password: no file of it does, and no dependency [SCOPE-09]', async () => {
    const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const texts = [...(await sources())]
    const filesWith = (words: RegExp): readonly string[] =>
      texts.filter(([, text]) => words.test(text)).map(([name]) => name)

    assert.deepEqual(filesWith(/base32|webauthn|timeStep/i), [])
    // Cookies that another application has signed.
    assert.deepEqual(filesWith(/createHmac/i), ['session/unsign-cookie.ts'])
    assert.deepEqual(
      Object.keys(manifest.dependencies).filter((name) => /otp|authn|passkey|speakeasy/i.test(name)),
      [],
    )
  })

  it('has no remember-me, JWT, OAuth or OIDC [SCOPE-12]', async () => {
    const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const words = /remember.?me|\bjwt\b|json.?web.?token|oauth|\boidc\b|openid|\bjose\b/i
    const found = [...(await sources())].filter(([name, text]) => words.test(name) || words.test(text))

    assert.deepEqual(
      found.map(([name]) => name),
      [],
    )
    assert.deepEqual(
      [...(await names()), ...Object.keys(manifest.dependencies)].filter((name) => words.test(name)),
      [],
    )
  })

  it('exports no guard of its own and no helper that refuses [SCOPE-19]', async () => {
    const found = (await names()).filter((name) =>
      /require(?!d)|ensure|guard|deny|authorize$|isGranted/i.test(name),
    )
    const members = Object.getOwnPropertyNames(Controller.prototype)

    assert.deepEqual(found, [])
    assert.deepEqual(
      members.filter((name) => /deny|grant|require|authorize/i.test(name)),
      [],
    )
  })

  it('exports no primitive of a pending login [SCOPE-20]', async () => {
    assert.deepEqual(
      (await names()).filter((name) => /pending|challenge/i.test(name)),
      [],
    )
  })

  it('offers bands and no events: nothing can be subscribed to by name [SCOPE-24]', async () => {
    assert.deepEqual(Object.getOwnPropertyNames(MiddlewareBands.prototype).sort(), [
      'close',
      'constructor',
      'incoming',
      'outgoing',
      'routed',
    ])
    // eventStream() sends events to a client (PAGE-12); within the application nothing is subscribed to.
    assert.deepEqual(
      (await names()).filter(
        (name) =>
          name !== 'eventStream' &&
          /^(event|emitter|listener|subscriber)|dispatchEvent|EventDispatcher/i.test(name),
      ),
      [],
    )
  })
})

class PageController extends Controller {
  static readonly actions: Actions<PageController> = { index: [], show: [] }
  index(): string {
    return 'index'
  }
  show(): string {
    return 'show'
  }
}

describe('what the framework leaves alone', () => {
  it('leaves no file behind, at boot or while serving [SCOPE-18]', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sallyport-scope-'))
    const before = process.cwd()
    process.chdir(directory)
    try {
      const module = defineModule('Shop', (shop) =>
        shop
          .mount({ fr: 'boutique', en: 'shop' })
          .localized()
          .controllers(PageController)
          .routes((routes) => void routes.get('/list', [PageController, 'show']).name('list')),
      )
      const client = new TestClient(App.default({ locales: ['fr', 'en'] }).modules(module))

      for (const path of ['/fr/boutique/list', '/en/shop/list', '/nowhere', '/boutique', '/fr/boutique/page'])
        await client.get(path)

      assert.deepEqual(readdirSync(directory), [])
    } finally {
      process.chdir(before)
      rmSync(directory, { recursive: true })
    }
  })

  it('identity, access and rule are three steps: the identity protects nothing, the guard is the application’s [SCOPE-21]', async () => {
    class Identify {
      process(context: HttpContext, next: Next): Promise<Response> {
        const token = context.authorization()?.token
        if (token !== undefined)
          context.auth().authenticate({ name: token }, token === 'ada' ? ['post.edit'] : [])
        return next()
      }
    }
    class Guard {
      process(context: HttpContext, next: Next): Promise<Response> {
        if (!context.auth().isAuthenticated()) throw new UnauthorizedException('Bearer')
        if (!context.auth().allows('post.edit')) throw new ForbiddenException()
        return next()
      }
    }
    const answers = {
      'GET /': (context: HttpContext) =>
        context.query() === 'frozen' ? { refused: 'by the rule' } : { edited: true },
    }
    const open = new TestClient(site(answers, { middlewares: [Identify] }))
    const guarded = new TestClient(site(answers, { middlewares: [Identify, Guard] }))
    const as = (token: string): { headers: Record<string, string> } => ({
      headers: { authorization: `Bearer ${token}` },
    })

    assert.equal((await open.get('/')).status, 200)
    assert.equal((await guarded.get('/')).status, 401)
    assert.equal((await guarded.get('/', as('bob'))).status, 403)
    assert.deepEqual(await (await guarded.get('/', as('ada'))).json(), { edited: true })
    assert.deepEqual(await (await guarded.get('/?frozen', as('ada'))).json(), { refused: 'by the rule' })
  })

  it('401 is for clients that should authenticate, 403 for those that did and lack permission; every 401 has a challenge [ERR-01 ERR-02]', async () => {
    const client = new TestClient(
      site({
        'GET /': (context) => {
          if (context.authorization() === null) throw new UnauthorizedException('Bearer realm="api"')
          throw new ForbiddenException()
        },
      }),
    )
    const [anonymous, known] = [
      await client.get('/'),
      await client.get('/', { headers: { authorization: 'Bearer x' } }),
    ]

    assert.deepEqual(
      [anonymous.status, anonymous.headers.get('www-authenticate')],
      [401, 'Bearer realm="api"'],
    )
    assert.deepEqual([known.status, known.headers.get('www-authenticate')], [403, null])
  })
})
