import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FOLDER, sallyport } from './fixture/run.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MORE: Readonly<Record<string, string>> = {
  // The error of a declaration says where, and is passed on with a sentence before it.
  'declared.ts': `import { App, defineModule } from 'sallyport'
const module = defineModule('Shop', (module) => module.mount('a b'))
export const app = App.create().modules(module)
`,
  'awaited.ts': `import { App, defineModule } from 'sallyport'
const module = defineModule('Shop', async (module) => void module.mount('/shop'))
export const app = App.create().modules(module)
`,
  'passed-on.ts': `import { App, defineModule } from 'sallyport'
const module = defineModule('Shop', (module) => module.mount('/shop').controllers(5))
export const app = App.create().modules(module)
`,
  'syntax.ts': 'export const app = = 1\n',
  'old.cjs': `\nthrow new RangeError('from a file that is not a module')\n`,
}
const FAULTY = [
  'application.ts',
  'broken.ts',
  'faulty.ts',
  'throwing.ts',
  'undeclared.ts',
  ...Object.keys(MORE),
]

/** Copies the applications into a folder of that name. */
function folderOf(t: TestContext, name: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-places-')))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(ROOT, join(root, 'node_modules/sallyport'))
  const folder = join(root, name)
  cpSync(FOLDER, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [file, text] of Object.entries(MORE)) writeFileSync(join(folder, file), text)
  return folder
}

const ASKED = [
  ...FAULTY.map((file) => ['check', '--all', '--app', file]),
  ['explain', 'GET', '/nowhere', '--app', 'application.ts'],
  ['routes', '--json', '--app', 'application.ts'],
]

/** What the program says of each question; the absolute paths of JSON without their folder. */
async function answers(folder: string): Promise<string[]> {
  const said: string[] = []
  for (const args of ASKED) {
    const { code, out, error } = await sallyport(args, { cwd: folder })
    said.push(
      `${args.join(' ')}: ${code}\n${out}${error}`.replaceAll(JSON.stringify(folder).slice(1, -1), '.'),
    )
  }
  return said
}

describe('the places that sallyport prints', () => {
  it('are the same whatever the folder of the application is named', async (t) => {
    const folders = ['plain', 'my-app (2)', 'My App "c" #d %20 1:2'].map((name) => folderOf(t, name))

    const [plain = [], ...others] = await Promise.all(folders.map(answers))

    for (const said of others) assert.deepEqual(said, plain)
    const places = plain.join().match(/\((?:\w|-)+\.c?[tj]s:\d+\)/g) ?? []
    assert.ok(places.length >= 15, plain.join('\n'))
  })

  it('are told once, and relative to the current directory', async (t) => {
    const folder = folderOf(t, 'my-app (2)')

    const declared = await sallyport(['routes', '--app', 'declared.ts'], { cwd: folder })
    const thrown = await sallyport(['routes', '--app', 'old.cjs'], { cwd: folder })
    const above = await sallyport(['routes', '--app', 'my-app (2)/declared.ts'], { cwd: join(folder, '..') })

    assert.match(declared.error, /^sallyport: [^(]*\(declared\.ts:2\)[^(]*$/)
    assert.match(thrown.error, /^sallyport: RangeError: from a file that is not a module \(old\.cjs:2\)$/m)
    assert.match(above.error, /\(my-app \(2\)\/declared\.ts:2\)/)
  })
})
