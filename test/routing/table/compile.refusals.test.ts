import { describe } from 'node:test'

import type { Routes } from 'sallyport/routing'

import { PageController, site } from '../fixture.ts'
import { refuses } from '../refusals.ts'

/** What is declared, and the code and message of its refusal; places in the source stand as (…). */
const REFUSALS: readonly (readonly [declare: (r: Routes) => unknown, refusal: string])[] = [
  [
    (r) => r.get('/100%', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "/100%": "%": write the character itself; it is encoded for you (…)',
  ],
  [
    (r) => r.get('/a?b', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "/a?b": "?": it cannot be part of a path (…)',
  ],
  [
    (r) => r.get('/a{', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "/a{": "{": it cannot be part of a path (…)',
  ],
  [
    (r) => r.get('a', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "a": it must start with "/" (…)',
  ],
  [
    (r) => r.get('//', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "//": "" cannot be a segment (…)',
  ],
  [
    (r) => r.get('/../a', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "/../a": ".." cannot be a segment (…)',
  ],
  [
    (r) => r.get('/{a b}', [PageController, 'index']),
    'invalid-pattern: Cannot read the path "/{a b}": "{a b}": a placeholder is named with letters, digits and "_" (…)',
  ],
  [
    (r) => r.get('/{slug}/{slug}', [PageController, 'show']),
    'invalid-pattern: Cannot read the path "/{slug}/{slug}": two placeholders are named "slug" (…)',
  ],
  [
    (r) => r.get('/{slug}', [PageController, 'show']).where('x', 'a'),
    'invalid-pattern: Cannot read the path "/{slug}": where() constrains "x", which the path does not contain (…)',
  ],
  [
    (r) => r.get('/{slug}{a}', [PageController, 'show']),
    'invalid-pattern: Cannot read the path "/{slug}{a}": two placeholders touch each other in "{slug}{a}" (…)',
  ],
  [
    (r) => r.get('/{slug}', [PageController, 'show']).where('slug', '(?=a)'),
    'invalid-pattern: Cannot read the constraint "(?=a)" of "slug" in "/{slug}": "(?=" is not supported (…)',
  ],
  [
    (r) => r.get('/{slug}', [PageController, 'show']).default('x', 'a'),
    'invalid-pattern: Cannot route GET /{slug} (…): default() fills "x", which none of its paths contains',
  ],
  [
    (r) => r.get({ fr: '/de/{from}', en: '/from/{from}/{to}' }, [PageController, 'range']),
    'invalid-pattern: Cannot route GET /de/{from}, /from/{from}/{to} (…): one path contains "from", another "from, to"; each must contain the same placeholders',
  ],
  [
    (r) => r.get('/{slug}', [PageController, 'show']).default('slug', '..'),
    'invalid-parameter: Cannot route GET /{slug} (…): default() fills "slug" with "..": it cannot be a segment of a path',
  ],
  [
    (r) => r.get('/f/{path}', [PageController, 'file']).where('path', '.*').default('path', 'a/./b'),
    'invalid-parameter: Cannot route GET /f/{path} (…): default() fills "path" with "a/./b": it cannot be a segment of a path',
  ],
  [
    (r) => r.get('/{id}', [PageController, 'item']).default('id', 'x'),
    'invalid-parameter: Cannot route GET /{id} (…): default() fills "id" with "x": it does not fit its type',
  ],
  [
    (r) => r.get('/{slug}', [PageController, 'show']).where('slug', '[a-c]').default('slug', 'd'),
    'invalid-parameter: Cannot route GET /{slug} (…): default() fills "slug" with "d": it does not fit its type and the constraint [a-c]',
  ],
  [
    (r) => r.get('/x', [PageController, 'show']),
    'invalid-parameter: Cannot route GET /x (…): PageController::show requires "slug"; add {slug} or make it optional()',
  ],
  [
    (r) => r.get('/{id}', [PageController, 'show']),
    'invalid-parameter: Cannot route GET /{id} (…): {id} is not a parameter of PageController::show; name it in its static actions',
  ],
  [
    (r) => r.get('/x', 'Page::index'),
    'invalid-action: Cannot route GET /x (…): module "Site" lists no controller "Page"',
  ],
  [
    (r) => r.get('/x', [PageController, 'no' as 'show']),
    'invalid-action: Cannot route GET /x (…): PageController::no is not an action; name it in the static actions of PageController',
  ],
  [
    (r) => r.get('/x', PageController),
    'invalid-action: Cannot route GET /x (…): PageController::__invoke is not an action; name it in the static actions of PageController',
  ],
  [(r) => r.get('/x', 'Page'), 'invalid-action: Cannot route GET /x (…): "Page" is not "Controller::action"'],
  [
    (r) => r.get('/x', 'Page::index::x'),
    'invalid-action: Cannot route GET /x (…): "Page::index::x" is not "Controller::action"',
  ],
  ...[
    [[], '[]'],
    [[PageController], '[class PageController]'],
    [[PageController, 'index', 'x'], '[class PageController, "index", "x"]'],
    [['PageController', 'index'], '["PageController", "index"]'],
    [null, 'null'],
  ].map(
    ([handler, given]) =>
      [
        (r: Routes) => r.get('/x', handler as never),
        `invalid-action: Cannot route GET /x (…): its handler is ${given as string}; use [Controller, "action"], an invokable Controller or "Controller::action"`,
      ] as const,
  ),
  [
    (r) => r.get('/x', 5 as never),
    'invalid-action: Cannot route GET /x (…): its handler is 5; use [Controller, "action"], an invokable Controller or "Controller::action"',
  ],
  [
    (r) => [
      r.get('/a', [PageController, 'index']).name('x'),
      r.get('/b', [PageController, 'index']).name('x'),
    ],
    'duplicate-name: Cannot name two routes "x": GET /a (…) and GET /b (…); rename one of them',
  ],
  [
    (r) => [r.get('/a/', [PageController, 'index']), r.get('/a', [PageController, 'index'])],
    'slash-conflict: Cannot tell GET /a/ (…) and GET /a (…) apart: under TrailingSlash.Preserve both spellings are one URL; keep one of them',
  ],
  [
    (r) => [r.get('/{slug}', [PageController, 'show']), r.get('/{a}', [PageController, 'show'])],
    'invalid-parameter: Cannot route GET /{a} (…): {a} is not a parameter of PageController::show; name it in its static actions',
  ],
  [
    (r) => [r.get('/a', [PageController, 'index']), r.get('/a', [PageController, 'other'])],
    'route-conflict: Cannot tell GET /a (…) and GET /a (…) apart: they answer the same URL; change a path or give one of them another priority()',
  ],
  [(r) => r.get({}, [PageController, 'index']), 'invalid-pattern: Cannot route GET  (…): it has no path'],
  [
    (r) => r.get({ fr: '/{slug}', en: '/a' }, [PageController, 'show']),
    'invalid-parameter: Cannot route GET /a (…): PageController::show requires "slug"; add {slug} or make it optional()',
  ],
  [
    (r) => r.get('/a', [PageController, 'index']).middleware(class Wrong {} as never),
    'invalid-middleware: Cannot use class Wrong as a middleware of GET /a (…): pass a class with a method process(context, next)',
  ],
]

describe('what a table says when it does not compile', () => {
  refuses(
    REFUSALS.map(([declare, refusal]) => {
      const app = site((routes) => void declare(routes), { locales: ['fr', 'en'] })
      const [code, ...message] = refusal.split(': ')
      const whole = `${code}: Cannot compile the routes of module "Site". ${message.join(': ')}`
      return [() => app.match('GET', '/x'), whole]
    }),
  )
})
