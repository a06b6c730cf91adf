/**
 * What the first answer of a hello world costs beside Hono's: from the package as it is published, and bundled. Processor time and time
 * of a process from its start, in milliseconds, and its memory after the answer, in MiB: the lowest of the rounds, which other work on
 * the machine disturbs least.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPackage, FRAMEWORK } from '../scripts/lib/package-build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
// Below the root, so that packages find their dependencies.
const folder = join(root, '.tmp/first-answer')
const rounds = Number(process.argv[2] ?? 15)

const END = `
const response = await app.fetch(new Request('http://localhost/hello/hello'))
await response.text()
if (response.status !== 200) throw new Error('Another response than that of the action: ' + response.status)
const { user, system } = process.cpuUsage()
const memory = process.memoryUsage.rss() / 2 ** 20
console.log(JSON.stringify({ cpu: (user + system) / 1000, time: performance.now(), memory }))
`
const PROGRAMS = {
  nothing: `const app = { fetch: () => new Response('hello') }${END}`,
  hono: `import { Hono } from 'hono'
const app = new Hono()
app.get('/hello/hello', (context) => context.json({ hello: 'world' }))
${END}`,
  sallyport: `import { App, Controller, defineModule } from 'sallyport'
class HelloController extends Controller {
  static actions = { index: [] }
  index() { return { hello: 'world' } }
}
// The convention would take the path from the name of the class, which the bundler shortens.
const hello = defineModule('Hello', (module) =>
  module.routes((routes) => routes.get('/hello', [HelloController, 'index'])),
)
const app = App.create().modules(hello)
${END}`,
}

rmSync(folder, { recursive: true, force: true })
const installed = join(folder, 'node_modules/sallyport')
mkdirSync(installed, { recursive: true })
// Of another name: within a package, its name leads to its own files.
writeFileSync(join(folder, 'package.json'), '{ "name": "first-answer", "type": "module" }')
cpSync(join(root, 'package.json'), join(installed, 'package.json'))
await buildPackage(FRAMEWORK, join(installed, 'dist'))

const files = new Map()
for (const [name, text] of Object.entries(PROGRAMS)) {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  files.set(`${name}, installed`, file)
  const outdir = join(folder, 'bundled', name)
  await build({
    entryPoints: [file],
    outdir,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  })
  files.set(`${name}, bundled`, join(outdir, `${name}.mjs`))
}

const lowest = new Map(
  [...files.keys()].map((name) => [name, { cpu: Infinity, time: Infinity, memory: Infinity }]),
)
for (let round = 0; round < rounds; round++)
  for (const [name, file] of files) {
    const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' }
    const measured = JSON.parse(execFileSync(process.execPath, [file], { env, encoding: 'utf8' }))
    const best = lowest.get(name)
    for (const what of Object.keys(best)) best[what] = Math.min(best[what], measured[what])
  }

for (const [name, { cpu, time, memory }] of lowest)
  console.log(`${name.padEnd(22)} ${cpu.toFixed(1)} ms cpu ${time.toFixed(1)} ms ${memory.toFixed(1)} MiB`)
for (const how of ['installed', 'bundled']) {
  const of = (name) => lowest.get(`${name}, ${how}`)
  const [ours, theirs, none] = [of('sallyport'), of('hono'), of('nothing')]
  const ratio = (what) =>
    `${(ours[what] / theirs[what]).toFixed(2)} (without Node's own start ${((ours[what] - none[what]) / (theirs[what] - none[what])).toFixed(1)})`
  console.log(`${how}: × Hono cpu ${ratio('cpu')}, time ${ratio('time')}, memory ${ratio('memory')}`)
}
