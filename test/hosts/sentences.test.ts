import assert from 'node:assert/strict'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, describe, it } from 'node:test'

import type { Sentences } from '../../src/core/sentences.ts'
import { bundlers, installForBundles, runBundle, runInstalled } from './loaded-bundle.ts'

// Makes a mistake in a declaration, one that is found at boot and two in a request.
const MISTAKEN = `
import { App, Controller, defineModule } from 'sallyport'
const tell = ({ message, stack }) => console.log(stack.includes(message) ? message : stack)
class TeaController extends Controller {
  static actions = { index: [], late: [] }
  index() { return new Map() }
  late() { throw new Error('Not brewed', { cause: new AggregateError([mistake]) }) }
}
let mistake
try { defineModule('Shop"5', () => {}) } catch (error) { tell(mistake = error) }
const drinks = (name) => defineModule(name, (module) => module.mount('drinks').routes((routes) => {
  routes.get('/', [TeaController, 'index'])
  routes.get('/late', [TeaController, 'late'])
}))
await App.create().modules(drinks('Tea'), drinks('Coffee')).boot().catch(tell)
const app = App.create().modules(drinks('Tea')).onError((error) => tell(error.cause?.errors?.[0] ?? error))
await app.fetch(new Request('http://localhost/drinks'))
await app.fetch(new Request('http://localhost/drinks/late'))
`
const DECLARED = 'Cannot name a module "Shop\\"5": use letters and digits'
const AT_BOOT =
  'Cannot mount module "Coffee": module "Tea" is mounted on "drinks" already; mount one elsewhere'

// Without places, which are those of the bundle, and without names of classes, which bundlers shorten.
function linesOf(printed: string): readonly string[] {
  return printed
    .replaceAll(/ \([^()]*:\d+\)/g, '')
    .replace(/ \w+\.index/, ' TeaController.index')
    .split('\n')
}

describe('sentences for programmers, moved out of the code by the build of the package', () => {
  let folder = ''
  before(() => {
    folder = installForBundles()
  })
  after(() => rmSync(folder, { recursive: true }))

  it('are there at once where the package is installed', () => {
    const [declared, atBoot, inRequest, inCause] = linesOf(runInstalled(folder, MISTAKEN))

    assert.deepEqual([declared, atBoot, inCause], [DECLARED, AT_BOOT, DECLARED])
    assert.match(
      inRequest ?? '',
      /^Cannot respond with what TeaController\.index returned: Cannot write a value of type Map as JSON/,
    )
  })

  for (const bundler of Object.keys(bundlers))
    it(`are read by a bundle of ${bundler} before boot() rejects and before onError() receives an error`, async () => {
      const installed = linesOf(runInstalled(folder, MISTAKEN))
      const { printed, code } = await runBundle(folder, bundler, MISTAKEN)
      const [short = '', ...others] = linesOf(printed)

      assert.match(short, /^\[sallyport refusal \d+ ".*Shop.*": run the program without a bundler/)
      assert.deepEqual(others, installed.slice(1))
      assert.ok(code.includes('use letters and digits'))
    })

  it('have a number each, which some code has', async () => {
    const dist = join(folder, 'node_modules/sallyport/dist')
    const file = pathToFileURL(join(dist, 'core/sentences.js')).href
    const { sentences } = (await import(file)) as { sentences: Sentences }
    const code = globSync('**/*.js', { cwd: dist }).map((path) => readFileSync(join(dist, path), 'utf8'))
    const numbers = code.flatMap((text) =>
      [...text.matchAll(/\bsentence(?:\$\d+)?\((\d+)/g)].map(([, number]) => Number(number)),
    )

    assert.deepEqual(
      [...new Set(numbers)].sort((one, other) => one - other),
      sentences.map((_, index) => index),
    )
    assert.ok(code.every((text) => !text.includes('sentence`')))
  })
})
