import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Controller, defineModule, inject, type Module } from 'sallyport'
import { Authentication, PasswordHasher, PermissionSet } from 'sallyport/auth'
import { Cookies, RedirectException, UnauthorizedException } from 'sallyport/http'
import { Locales, Translator } from 'sallyport/i18n'
import { ValidationException, ValidationResult } from 'sallyport/input'
import { BasicAccessMiddleware } from 'sallyport/middleware'
import type { RouteRequest, Routes } from 'sallyport/routing'
import { MemorySessionStore } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { FrozenClock, TestClient } from 'sallyport/testing'
import { View } from 'sallyport/view'
import { EdgeViewEngine } from 'sallyport/view/edge'
import { shown } from '../../src/core/internal.ts'

/** What somebody without a compiler may give instead of what is asked for. */
const JUNK = {
  undefined: () => undefined,
  null: () => null,
  number: () => 5,
  NaN: () => Number.NaN,
  boolean: () => true,
  'empty text': () => '',
  text: () => 'junk',
  object: () => ({ strange: true }),
  list: () => [],
  'list of nothing': () => [null],
  function: () => () => 1,
  class: () => class Junk {},
  url: () => new URL('https://shop.test/'),
} as const satisfies Record<string, () => unknown>

type Junk = keyof typeof JUNK

/** A call, the junk that is right there, and how it is made with a value. */
type Call = readonly [what: string, right: readonly Junk[], make: (value: never) => unknown]

const asError = (fault: unknown): Error =>
  fault instanceof Error ? fault : new Error('The fault is no error', { cause: fault })

class Person {}

class PageController extends Controller {
  static readonly actions = { index: [] }
  static probe: (page: PageController, context: PageController['context']) => unknown = () => undefined

  async index(): Promise<string> {
    await PageController.probe(this, this.context)
    return 'done'
  }
  override text(...args: Parameters<Controller['text']>): Response {
    return super.text(...args)
  }
  override redirect(...args: Parameters<Controller['redirect']>): Response {
    return super.redirect(...args)
  }
  toRoute(name: never): Response {
    return this.redirectToRoute(name)
  }
}

// Makes the call in an action, and throws what it throws.
const inAction =
  (call: (value: never, page: PageController, context: PageController['context']) => unknown) =>
  async (value: never): Promise<void> => {
    let fault: unknown
    PageController.probe = (page, context) => call(value, page, context)
    const app = App.create({ locales: ['fr', 'en'] })
      .modules(defineModule('Shop', (module) => module.controllers(PageController)))
      .onError((error) => (fault = error))
    const response = await app.fetch(new Request('http://shop.test/shop/page'))
    // Text that cannot be sent is a 400, because it may be the client's.
    if (response.status === 500 || fault !== undefined) throw asError(fault)
  }

const inResolver =
  (call: (request: RouteRequest, value: never) => unknown) =>
  async (value: never): Promise<void> => {
    let fault: unknown
    const resolve = (request: RouteRequest): never => call(request, value) as never
    const app = App.create()
      .modules(defineModule('Shop', (module) => module.controllers(PageController).resolver({ resolve })))
      .onError((error) => (fault = error))
    await app.fetch(new Request('http://shop.test/shop/anything'))
    if (fault !== undefined) throw asError(fault)
  }

const cookie =
  (option: string) =>
  (value: never): void =>
    new Cookies(null, true).set('seen', 'yes', { [option]: value })
const ACCESS = { username: 'ops', password: 'secret', realm: 'ops' }
const REDIS = { get: () => null } as never
const POOL = { query: () => null } as never
const TEXTS: readonly Junk[] = ['empty text', 'text']

const CALLS: readonly Call[] = [
  ['text()', TEXTS, inAction((v, page) => page.text(v))],
  ['redirect()', [], inAction((v, page) => page.redirect(v))],
  ['redirect(…, status)', ['undefined'], inAction((v, page) => page.redirect('/', v))],
  ['new RedirectException()', [], (v) => new RedirectException(v)],
  ['new RedirectException(…, status)', ['undefined'], (v) => new RedirectException('/', v)],
  ['redirectToRoute()', [], inAction((v, page) => page.toRoute(v))],
  ['url()', [], inAction((v, _, context) => context.url(v))],
  [
    'url(…, params)',
    ['undefined', 'object', 'list', 'list of nothing', 'url'],
    inAction((v, _, context) => context.url('shop:page', v)),
  ],
  [
    'urlFor()',
    [],
    inAction((v, _, context) => (context.urlFor as (handler: never) => string).call(context, v)),
  ],
  [
    'urlFor(…, args)',
    ['undefined', 'list', 'list of nothing'],
    inAction((v, _, context) => context.urlFor([PageController, 'index'], v)),
  ],
  ['useLocale()', TEXTS, inAction((v, _, context) => context.useLocale(v))],
  ['declaredLocale()', TEXTS, inAction((v, _, context) => context.declaredLocale(v))],
  [
    'inject()',
    ['class'],
    (v) =>
      App.create()
        .boot()
        .then((app) => app.get(v)),
  ],
  [
    'a service',
    ['class', 'url'],
    (v) => {
      class Service {
        readonly value = inject(v)
        work(): void {}
      }
      return App.create()
        .boot()
        .then((app) => app.get(Service))
    },
  ],
  [
    'RouteRequest.route(…, options)',
    ['undefined', 'object', 'list', 'list of nothing', 'url'],
    inResolver((request, v) => request.route(PageController, 'index', v)),
  ],
  [
    'RouteRequest.route(…, { args })',
    ['undefined', 'list'],
    inResolver((request, v) => request.route(PageController, 'index', { args: v })),
  ],
  [
    'RouteRequest.route(…, { locale })',
    ['undefined', ...TEXTS],
    inResolver((request, v) => request.route(PageController, 'index', { locale: v })),
  ],
  ['new PermissionSet()', ['undefined', 'list'], (v) => new PermissionSet(v)],
  ['PermissionSet.allows()', ['text'], (v) => new PermissionSet().allows(v)],
  ['authenticate(…, permissions)', ['undefined', 'list'], (v) => new Authentication().authenticate({}, v)],
  [
    'principalAs()',
    ['class'],
    (v) => {
      const auth = new Authentication()
      auth.authenticate(new Person())
      auth.principalAs(v)
    },
  ],
  ['new UnauthorizedException()', ['text'], (v) => new UnauthorizedException(v)],
  ['new ValidationException()', [], (v) => new ValidationException(v)],
  ['new ValidationResult()', ['undefined', 'list'], (v) => new ValidationResult(v)],
  ['new Translator()', ['undefined', 'url'], (v) => new Translator(v)],
  ['a catalogue', ['url'], (v) => new Translator({ fr: v })],
  ['a domain of a catalogue', ['url'], (v) => new Translator({ fr: { messages: v } })],
  ['a message', TEXTS, (v) => new Translator({ fr: { messages: { hello: v } } })],
  ['translate()', TEXTS, (v) => new Translator().translate(v, { id: 'hello' })],
  ['translate(…, message)', [], (v) => new Translator().translate('fr', v)],
  ['new Locales()', ['list'], (v) => new Locales(v)],
  ['Cookies.set()', ['text'], (v) => new Cookies(null, true).set(v, 'yes')],
  ['Cookies.set(…, value)', TEXTS, (v) => new Cookies(null, true).set('seen', v)],
  ['Cookies.set(…, options)', ['undefined', 'url'], (v) => new Cookies(null, true).set('seen', 'yes', v)],
  ['Cookies.delete(…, options)', ['undefined', 'url'], (v) => new Cookies(null, true).delete('seen', v)],
  ['a cookie sameSite', ['undefined'], cookie('sameSite')],
  ['a cookie path', ['undefined', ...TEXTS], cookie('path')],
  ['a cookie domain', ['undefined', ...TEXTS], cookie('domain')],
  ['a cookie httpOnly', ['undefined', 'boolean'], cookie('httpOnly')],
  ['a cookie secure', ['undefined', 'boolean'], cookie('secure')],
  ['a cookie maxAgeSeconds', ['undefined', 'number'], cookie('maxAgeSeconds')],
  ['a cookie maxAge', [], cookie('maxAge')],
  ['a cookie HttpOnly', [], cookie('HttpOnly')],
  ['new BasicAccessMiddleware()', [], (v) => new BasicAccessMiddleware(v)],
  ...(['username', 'password', 'realm'] as const).map((option): Call => [
    `BasicAccessMiddleware ${option}`,
    option === 'realm' ? TEXTS : ['text'],
    (v) => new BasicAccessMiddleware({ ...ACCESS, [option]: v }),
  ]),
  ['BasicAccessMiddleware charset', [], (v) => new BasicAccessMiddleware({ ...ACCESS, charset: v } as never)],
  ['new PasswordHasher(…, settings)', ['undefined', 'url'], (v) => new PasswordHasher(undefined, {}, v)],
  ['PasswordHasher accepts', ['undefined', 'list'], (v) => new PasswordHasher(undefined, {}, { accepts: v })],
  ['new MemorySessionStore()', ['undefined', 'url'], (v) => new MemorySessionStore(v)],
  ['new SqliteSessionStore()', [], (v) => new SqliteSessionStore(v)],
  ['SqliteSessionStore path', ['text'], (v) => new SqliteSessionStore({ path: v })],
  [
    'SqliteSessionStore strange',
    [],
    (v) => new SqliteSessionStore({ path: ':memory:', strange: v } as never),
  ],
  ['new RedisSessionStore()', [], (v) => new RedisSessionStore(v)],
  ['new RedisSessionStore(…, options)', ['undefined', 'url'], (v) => new RedisSessionStore(REDIS, v)],
  ['RedisSessionStore prefix', ['undefined', 'text'], (v) => new RedisSessionStore(REDIS, { prefix: v })],
  ['RedisSessionStore.connect()', [], (v) => RedisSessionStore.connect(v)],
  ['RedisSessionStore.connect({ url })', TEXTS, (v) => RedisSessionStore.connect({ url: v })],
  ['new PostgresSessionStore()', [], (v) => new PostgresSessionStore(v)],
  ['new PostgresSessionStore(…, options)', ['undefined', 'url'], (v) => new PostgresSessionStore(POOL, v)],
  ['PostgresSessionStore table', ['undefined', 'text'], (v) => new PostgresSessionStore(POOL, { table: v })],
  ['PostgresSessionStore.connect()', [], (v) => PostgresSessionStore.connect(v)],
  ['PostgresSessionStore.connect({ url })', TEXTS, (v) => PostgresSessionStore.connect({ url: v })],
  ['new EdgeViewEngine()', [], (v) => new EdgeViewEngine(v)],
  ['EdgeViewEngine directory', [], (v) => new EdgeViewEngine({ directory: v })],
  ['new View()', ['text'], (v) => new View(v)],
  [
    'new View(…, data)',
    ['undefined', 'object', 'list', 'list of nothing', 'url'],
    (v) => new View('page', v),
  ],
  [
    'new View(…, options)',
    ['undefined', 'object', 'list', 'list of nothing', 'url'],
    (v) => new View('page', {}, v),
  ],
  ['new TestClient()', [], (v) => new TestClient(v)],
  ['new TestClient(…, options)', ['undefined', 'url'], (v) => new TestClient(App.create(), v)],
  ['new FrozenClock()', ['undefined', 'number'], (v) => new FrozenClock(v)],
  ['FrozenClock.advance()', ['number'], (v) => new FrozenClock().advance(v)],
]

// Nobody writes down what may be a secret, and an empty list or text has no value to name.
const IN_OTHER_WORDS = [
  'a value of type',
  'a password of type',
  'empty',
  'without a violation',
  'option "',
  '0 arg',
  '1 arg',
  'route to',
  'the module',
  'no such module',
  'without a challenge',
  'the message "strange"',
  'undefined as a controller',
  'file undefined',
  'at undefined',
  'from undefined',
]
const BARE =
  /Cannot (read propert|destructure|convert|set propert)|is not (a function|iterable|a constructor|an object)|Invalid time|invoked without|argument must be|instanceof/

describe('a call', () => {
  for (const [what, right, make] of CALLS) {
    it(`${what} is refused and says what was given [HOLD-35]`, async () => {
      for (const name of Object.keys(JUNK) as Junk[]) {
        if (right.includes(name)) continue
        const value: unknown = JUNK[name]()

        const message = await Promise.resolve()
          .then(() => make(value as never))
          .then(
            () => 'nothing is told',
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          )

        const told = `${name}: ${message}`
        assert.match(message, /^Cannot /, told)
        assert.doesNotMatch(message, BARE, told)
        const given = [shown(value), ...(Array.isArray(value) ? value.map(shown) : []), ...IN_OTHER_WORDS]
        assert.ok(
          given.some((text) => message.includes(text)),
          told,
        )
      }
    })
  }
})

describe('a class where a function is called', () => {
  class Junk {}
  const given = Junk as never
  const shop = (configure: (module: Module) => unknown): App =>
    App.create().modules(defineModule('Shop', (module) => void configure(module)))
  const table = (declare: (routes: Routes) => unknown): App =>
    shop((module) => module.routes((routes) => void declare(routes)))

  for (const [what, declare] of [
    ['defineModule()', () => App.create().modules(defineModule('Shop', given))],
    ['App.configure()', () => App.create().configure(given)],
    ['App.onClose()', () => App.create().onClose(given)],
    ['Module.configure()', () => shop((module) => module.configure(given))],
    ['Module.routes()', () => shop((module) => module.routes(given))],
    ['Module.claim()', () => shop((module) => module.claim('/news', given))],
    ['RouteGroup.group()', () => table((routes) => routes.prefix('/a').group(given))],
  ] as const) {
    it(`${what} refuses it where it is passed [HOLD-35]`, async () => {
      await assert.rejects(async () => {
        const app = declare()
        await app.boot()
        const inspection = await app.inspection()
        inspection.routes()
      }, /^TypeError: Cannot .*class Junk.*: .*pass a function,? .*calls\.test\.ts:\d+\)$/)
    })
  }
})
