import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { App, Controller, defineModule } from 'sallyport'
import { serve, type Server } from 'sallyport/node'
import { type Actions, param, type Resolver } from 'sallyport/routing'

import { parseCommand } from '../../src/cli/command-line.ts'
import { explainUrl } from '../../src/cli/explain-command.ts'
import { request } from '../node/raw.ts'

class ShopController extends Controller {
  static readonly actions: Actions<ShopController> = { index: [], show: [param.string('slug')], buyPost: [] }
  index(): string {
    return 'shop'
  }
  show(slug: string): string {
    return slug
  }
  buyPost(): string {
    return 'bought'
  }
}

class Named implements Resolver {
  resolve(): null {
    return null
  }
}
// Names of classes are the application's, and may be anything.
Object.defineProperty(Named, 'name', { value: 'A\u001b[2J\nB\u202e\u009b' })

function application(): App {
  const shop = defineModule('Shop', (module) =>
    module
      .controllers(ShopController)
      .resolver(Named, { priority: -1 })
      .routes((routes) => {
        routes.get('/', [ShopController, 'index'])
        routes.get('/p/{slug}', [ShopController, 'show'])
        routes.post('/buy', [ShopController, 'buyPost'])
      }),
  )
  return App.default().modules(shop)
}

interface Explained {
  readonly steps: readonly unknown[]
  readonly result: {
    readonly kind: string
    readonly status: number | null
    readonly text: string
    readonly allowed: readonly string[]
  }
}

async function explained(
  app: App,
  args: readonly string[],
): Promise<{ readonly text: string; readonly json: Explained; readonly isResolved: boolean }> {
  const command = parseCommand(['explain', ...args])
  assert.ok(command.kind === 'explain')
  let text = ''
  let json: unknown
  const terminal = {
    print: (line: string) => void (text += `${line}\n`),
    printJson: (value: unknown) => void (json = value),
    width: undefined,
    style: (_format: string, styled: string) => styled,
    shorten: (long: string) => long,
  }
  const isResolved = await explainUrl(await app.inspection(), { ...command, json: false }, terminal)
  assert.equal(await explainUrl(await app.inspection(), { ...command, json: true }, terminal), isResolved)
  return { text, json: json as Explained, isResolved }
}

const STATUS: Readonly<Record<string, number>> = { found: 200, redirect: 308, notFound: 404 }

function statusOf({ kind, text }: Explained['result']): number {
  return STATUS[kind] ?? Number(text.slice(0, 3))
}

describe('sallyport explain', () => {
  const app = application()
  let server: Server | undefined
  before(async () => {
    server = await serve(app, { port: 0, signals: [] })
  })
  after(() => server?.close())

  for (const [method, target] of [
    ['GET', '/shop'],
    ['GET', '/shop?x=1'],
    ['GET', '/shop/'],
    ['GET', '/shop/p/tea'],
    ['GET', '/none'],
    ['GET', '/shop/buy'],
    ['HEAD', '/shop'],
    ['M-SEARCH', '/shop'],
    ['FOO', '/shop'],
    ['FOO', '//shop'],
    ['QUERY', '/shop'],
    ['PROPFIND', '/none'],
    ['GET', '//shop'],
    ['GET', '//'],
    ['GET', '///shop?x'],
    ['GET', '/shop//p'],
    ['GET', '/shop/../shop'],
    ['GET', '/shop/%2e%2e/shop'],
    ['GET', '/%2fshop'],
    ['GET', '/%5cshop'],
    ['GET', '/shop\\p'],
    ['GET', '/\\shop'],
    ['GET', '/shop?back=\\\\evil.test'],
    ['GET', '/shop?x=/#?'],
    ['GET', '/%00'],
    ['GET', '/%'],
    ['GET', '/%zz'],
    ['GET', '/%ff'],
    ['GET', '/%0a'],
    ['GET', `/shop/p/${'x'.repeat(10_000)}`],
    ['GET', `/shop/p/${'x'.repeat(17_000)}`],
    ['GET', `/shop?${'x'.repeat(17_000)}`],
    ['POST', '//shop'],
    ['TRACE', '/shop'],
    ['TRACE', '//shop'],
    ['TRACE', '/none'],
    ['CONNECT', '/shop'],
  ] as const) {
    it(`prints for ${method} ${target.slice(0, 40)} what serve() answers [HOLD-08]`, async () => {
      const { json, text } = await explained(app, [method, target])
      // A browser keeps what stands behind the number sign to itself.
      const sent = target.replace(/#.*/, '')
      const lines = [`${method} ${sent} HTTP/1.1`, 'Host: app.test', 'Connection: close']
      const answer = await request(server?.port ?? 0, lines)

      assert.equal(statusOf(json.result), answer.status, text)
      assert.equal(json.result.status ?? 200, answer.status)
      const allow = answer.headers.find(([name]) => name === 'allow')?.[1].split(', ') ?? []
      assert.deepEqual([...json.result.allowed].sort(), allow.sort())
      assert.match(text, new RegExp(`^${method} /`))
      assert.ok(text.split('\n').every((line) => line.length <= 2000))
    })
  }

  it('names a resolver that throws, and fails [HOLD-42]', async () => {
    class Failing implements Resolver {
      resolve(): never {
        // oxlint-disable-next-line typescript/only-throw-error
        throw 'oops'
      }
    }
    const own = App.default().modules(
      defineModule('Site', (module) => module.mount('/').resolver(Failing, { priority: 1 })),
    )
    await own.boot()

    const { text, json, isResolved } = await explained(own, ['GET', '/x'])

    assert.equal(isResolved, false)
    assert.match(text, /\n= 500, resolver Failing of module "Site".*: it threw "oops"\n$/)
    assert.deepEqual([json.result.kind, json.result.status], ['failed', 500])
    assert.ok(json.steps.length > 1)
    assert.equal((await explained(app, ['GET', '/none'])).isResolved, true)
  })

  it('says why a request never reaches the router [HOLD-08]', async () => {
    const { text, json } = await explained(app, ['GET', 'https://app.test//shop'])

    assert.match(text, /^GET \/\/shop\n= 400, refused before it is routed: .*must be a path\n$/)
    assert.deepEqual([json.steps, json.result.kind], [[], 'badRequest'])
  })

  it('accepts a URL as a browser shows it', async () => {
    for (const url of [
      'https://app.test/shop/p/tea?x=1#top',
      'HTTP://APP.TEST:80/shop/p/tea',
      '/shop/p/tea#\\',
    ])
      assert.match((await explained(app, ['GET', url])).text, /^GET \/shop\/p\/tea\n[^]*show\("tea"\)/)
    for (const url of ['*', 'shop', 'http:/x', 'ftp://x/', 'http://app.test\\x', ''])
      assert.throws(() => parseCommand(['explain', 'GET', url]), /start with/)
  })

  it('prints each name of the application on one line without control characters', async () => {
    const { text } = await explained(app, ['GET', '/shop'])

    assert.match(text, /^\d\. resolver A\\u001b\[2J\\nB\\u202e\\u009b of module "Shop"/m)
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
  })
})
