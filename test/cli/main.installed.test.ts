import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { installPackage, type Manifest, packPackage, run, succeed, TSC } from './packed-package.ts'

const MODULE = `const shop = defineModule('Shop', (module) =>
  module.controllers(ProductController).routes((routes) => {
    routes.get('/p/{slug}', [ProductController, 'show']).name('product')
  }),
)
`

const JAVASCRIPT = `import { App, Controller, defineModule } from 'sallyport'
import { param } from 'sallyport/routing'

class ProductController extends Controller {
  static actions = { show: [param.string('slug')] }
  show(slug) {
    return { slug }
  }
}

${MODULE}
export const app = App.default().modules(shop)
`

const TYPESCRIPT = `import { App, Controller, defineModule } from 'sallyport'
import { param, type Actions } from 'sallyport/routing'

class ProductController extends Controller {
  static readonly actions = { show: [param.string('slug')] } satisfies Actions<ProductController>

  show(slug: string): { slug: string } {
    return { slug }
  }
}

${MODULE}
export function app(): App {
  return App.default().modules(shop)
}

export function link(made: App): string {
  return made.router().url('shop:product', { slug: 'green-tea' }) + made.router().urlFor([ProductController, 'show'], ['a'])
}
`

// What an application exports without a word about its types: the compiler has to find names for them.
const EXPORTING = `import { App, binding, Controller, defineModule, type HttpContext, inject, under } from 'sallyport'
import { bcrypt } from 'sallyport/auth'
import { serve } from 'sallyport/node'
import { type Actions, input, param, parameterType, type Routes } from 'sallyport/routing'
import { MemorySessionStore } from 'sallyport/session'
import { Gates } from 'sallyport/testing'
import type { StandardSchema } from 'sallyport/input'

export const day = parameterType<Date>({
  name: 'day',
  pattern: '[0-9]+',
  parse: (text) => new Date(text),
  format: (date) => date.toISOString(),
  typescript: 'Date',
})

export class DayController extends Controller {
  static readonly actions = {
    show: [param.string('slug'), param.int('page').optional()],
    day: [param.of(day, 'day')],
    tags: [param.rest(param.string('tag'))],
    indexPost: [input({} as StandardSchema<{ a: string }>)],
  } satisfies Actions<DayController>

  readonly page = inject(binding<Date>('page'))
  show(slug: string, page?: number) { return this.view('day', { slug, page }) }
  day(date: Date) { return this.redirect('/' + date.getTime()) }
  tags(...tags: string[]) { return tags }
  indexPost(body: { a: string }) { return body }
}

export const days = defineModule('Days', (module) => module.controllers(DayController))
export const app = App.default().modules(days)
export const bands = app.middleware()
export const isBelow = under('/days')
export const policy = bcrypt(12)
export const start = () => serve(app)
export const gates = new Gates(new MemorySessionStore())
export const gate = gates.hold('read')
export const declare = (routes: Routes) => routes.prefix('/a')
export const matched = () => app.router().match('GET', '/')
export const listed = async () => (await app.inspection()).routes()
export const audited = async () => (await app.inspection()).audit().findings
export const explained = async () => (await app.inspection()).explain('GET', '/')
export const partsOf = (context: HttpContext) => ({
  route: context.route(),
  controller: context.route().controller,
  session: context.session(),
  flash: context.flash(),
  form: context.form(),
  cookies: context.cookies(),
  csrf: context.csrf(),
  credentials: context.authorization(),
})
`

describe('the installed package', () => {
  let folder = ''
  let application = ''
  let tarball = ''
  let manifest: Manifest | undefined
  const sallyport = (...args: string[]): ReturnType<typeof run> =>
    run(process.execPath, [join(application, 'node_modules/.bin/sallyport'), ...args], application)

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-installed-'))
    application = join(folder, 'application')
    mkdirSync(application)
    tarball = packPackage(folder)
    manifest = installPackage(tarball, application)
    writeFileSync(join(application, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(application, 'app.js'), JAVASCRIPT)
    writeFileSync(join(application, 'app.ts'), TYPESCRIPT)
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  it('contains what it needs and nothing of the tests and the starter', () => {
    const files = succeed('tar', ['-tzf', tarball], folder).trim().split('\n')

    assert.ok(files.includes('package/dist/cli/main.js'))
    const strange = files.filter(
      (file) =>
        !/^package\/(?:dist\/.+\.js$|dist\/.+\.d\.ts$|docs\/[\w-]+\.md$|docs\/pictures\/|package\.json$|[A-Z]+(?:\.md)?$)/.test(
          file,
        ),
    )
    assert.deepEqual(strange, [])
  })

  it('loads from every path that it exports, with only its own dependencies', () => {
    const paths = Object.keys(manifest?.exports ?? {}).filter((path) => path !== './package.json')
    const names = paths.map((path) => `sallyport${path.slice(1)}`)
    const script = `const all = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)))
console.log(JSON.stringify(all.map((module) => Object.keys(module).length)))`
    writeFileSync(join(application, 'load.js'), script)

    const counts = JSON.parse(succeed(process.execPath, ['load.js'], application)) as number[]

    assert.equal(counts.length, names.length)
    assert.deepEqual(
      names.filter((_, index) => counts[index] === 0),
      [],
    )
  })

  for (const file of ['app.js', 'app.ts']) {
    it(`has a program that lists, explains and checks the application of ${file}`, () => {
      const listed = sallyport('routes', '--app', file)
      const explained = sallyport('explain', 'GET', '/shop/p/tea/', '--app', file)
      const checked = sallyport('check', '--app', file)

      assert.match(listed.out, /^GET\|HEAD +\/shop\/p\/\{slug\} +ProductController::show +shop:product/m)
      assert.match(explained.out, /= 308 redirect to \/shop\/p\/tea\n$/)
      assert.match(checked.out, /^1 route, 1 URL generated and matched again: 0 faults, 0 notes\n$/)
      assert.deepEqual([listed.code, explained.code, checked.code], [0, 0, 0])
    })
  }

  it('runs where another package has a condition that names its sources [HOST-08]', () => {
    // Node strips no types below node_modules: the sources of an installed package do not run.
    for (const condition of ['source', 'src', 'development', 'typescript']) {
      const script = `import { App } from 'sallyport'; console.log(App.name)`

      const out = succeed(
        process.execPath,
        [`--conditions=${condition}`, '--input-type=module', '--eval', script],
        application,
      )

      assert.equal(out, 'App\n')
    }
  })

  it('says where in the application a fault was declared', () => {
    const twice = `import { App, defineModule } from 'sallyport'
const shop = () => defineModule('Shop', (module) => module.mount('/shop'))
export const app = App.create().modules(
  shop(),
  defineModule('Other', (module) => module.mount('/shop')),
)`
    writeFileSync(join(application, 'twice.js'), twice)

    const { code, out } = sallyport('check', '--app', 'twice.js')

    assert.equal(code, 1)
    assert.match(out, /twice\.js:[25]/)
    assert.doesNotMatch(out, /dist\/chunks/)
  })

  it('uses app.ts when no application is named', () => {
    const { code, out } = sallyport('explain', 'GET', '/shop/p/tea')

    assert.equal(code, 0, out)
    assert.match(out, /= ProductController::show\("tea"\) of module "Shop"/)
  })

  it('has types that check an application and the names of its URLs', () => {
    const written = sallyport('routes', '--types')
    const checked = sallyport('routes', '--types', '--check')
    const options = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: ['node'] }
    writeFileSync(
      join(application, 'wrong.ts'),
      `import { app } from './app.ts'\n// @ts-expect-error -- no such name\napp().router().url('shop:nothing')\n`,
    )
    const compilerOptions = { ...options, lib: ['es2024'], allowImportingTsExtensions: true }
    writeFileSync(join(application, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))

    assert.deepEqual([written.code, checked.code], [0, 0], written.out + checked.out)
    succeed(process.execPath, [TSC, '-p', application], application)
  })

  it('has types that an application can name in its own declarations', () => {
    const library = join(folder, 'library')
    mkdirSync(library)
    symlinkSync(join(application, 'node_modules'), join(library, 'node_modules'))
    const options = { module: 'nodenext', target: 'es2024', strict: true, types: ['node'], lib: ['es2024'] }
    const compilerOptions = { ...options, declaration: true, emitDeclarationOnly: true, outDir: 'out' }
    writeFileSync(join(library, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(library, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    writeFileSync(join(library, 'days.ts'), EXPORTING)

    succeed(process.execPath, [TSC, '-p', library], library)

    assert.match(readFileSync(join(library, 'out/days.d.ts'), 'utf8'), /RequiredParameter<string>/)
  })
})
