/**
 * Time and memory of `url()`: `node --expose-gc --conditions=sallyport-source bench/urls.ts [rounds]`.
 *
 * The kinds of URLs take turns, so that other load on the machine affects all alike. Each URL is read once, because a string that
 * is put together is copied only when somebody reads it. The median of the rounds is reported, the least in brackets.
 *
 * @module
 */
import { App, Controller, defineModule } from 'sallyport'
import { type Actions, param, type Router } from 'sallyport/routing'
import { loadCertainty } from '../src/routing/generation/late-certainty.ts'

// Applications have it soon after their first URL.
await loadCertainty()

const TURNS = 50_000
const rounds = Number(process.argv[2] ?? 15)
const gc = globalThis.gc ?? (() => process.exit(usage()))

class PageController extends Controller {
  static readonly actions = {
    index: [],
    edit: [param.string('slug')],
    show: [param.string('slug')],
    item: [param.int('id'), param.string('slug')],
    number: [param.int('id')],
    files: [param.rest(param.string('path'))],
  } satisfies Actions<PageController>

  index(): void {}
  edit(_slug: string): void {}
  show(_slug: string): void {}
  item(_id: number, _slug: string): void {}
  number(_id: number): void {}
  files(..._path: string[]): void {}
}

const shop = defineModule('Shop', (module) =>
  module.controllers(PageController).routes((routes) => {
    routes.get('/about/us', [PageController, 'index']).name('about')
    routes.get('/articles/new', [PageController, 'index'])
    routes.get('/articles/{slug}', [PageController, 'show']).name('article')
    routes.get('/items/{id}/{slug}', [PageController, 'item']).name('item')
    routes.get('/orders/{id}', [PageController, 'number']).name('order')
    routes.get('/files/{path}', [PageController, 'files']).where('path', '.*').name('files')
  }),
)

const slugs = Array.from({ length: 64 }, (_, index) => `green-tea-${index}`)
const odd = slugs.map((slug) => slug.replaceAll('-', ' é'))

const KINDS: readonly (readonly [what: string, make: (router: Router, index: number) => string])[] = [
  ['static', (router) => router.url('shop:about')],
  ['one value', (router, index) => router.url('shop:article', { slug: slugs[index & 63] ?? '' })],
  ['one number', (router, index) => router.url('shop:order', { id: index })],
  ['two values', (router, index) => router.url('shop:item', { id: index, slug: slugs[index & 63] ?? '' })],
  ['an encoded value', (router, index) => router.url('shop:article', { slug: odd[index & 63] ?? '' })],
  [
    'one value, a query',
    (router, index) => router.url('shop:article', { slug: slugs[index & 63] ?? '', page: index }),
  ],
  ['a rest', (router, index) => router.url('shop:files', { path: ['a', slugs[index & 63] ?? ''] })],
  [
    'conventional, one value',
    (router, index) => router.urlFor([PageController, 'edit'], [slugs[index & 63] ?? '']),
  ],
  ['a value of another route', (router) => attempt(() => router.url('shop:article', { slug: 'new' }))],
]

const app = await App.default().modules(shop).boot()
const router = app.router()
let read = 0
const times = KINDS.map((): number[] => [])
for (let round = 0; round < rounds + 2; round++) {
  for (const [index, [, make]] of KINDS.entries()) {
    const turns = index === KINDS.length - 1 ? TURNS / 10 : TURNS
    const begin = process.hrtime.bigint()
    use(make, turns)
    const took = Number(process.hrtime.bigint() - begin) / turns
    // The first rounds compile the code.
    if (round > 1) times[index]?.push(took)
  }
}
for (const [index, [what, make]] of KINDS.entries()) {
  gc()
  const before = process.memoryUsage().heapUsed
  use(make, 2000)
  const bytes = (process.memoryUsage().heapUsed - before) / 2000
  const sorted = (times[index] ?? []).sort((one, other) => one - other)
  const median = sorted[sorted.length >> 1] ?? NaN
  const [middle, least] = [median, sorted[0] ?? NaN].map((took) => (took / 1000).toFixed(2))
  process.stdout.write(`${what.padEnd(26)} ${middle} µs (${least}) ${bytes.toFixed(0).padStart(6)} B\n`)
}
if (read === 0) process.exitCode = 1

function use(make: (router: Router, index: number) => string, turns: number): void {
  for (let turn = 0; turn < turns; turn++) {
    const url = make(router, turn)
    read += url.charCodeAt(url.length - 1)
  }
}

function attempt(make: () => string): string {
  try {
    return make()
  } catch (error) {
    return String(error)
  }
}

function usage(): number {
  process.stderr.write('Cannot measure the heap without --expose-gc: start node with it\n')
  return 1
}
