import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { pathToFileURL } from 'node:url'

import { type Example, type Files, readPrograms, root, workspace, writeFiles } from './guide-code.ts'

const execute = promisify(execFile)

// Programs that share their files share a folder, for a program may import the files of its guide.
function checkTypes(t: TestContext, examples: readonly Example[], declarations: Files = {}): string {
  const folder = workspace(t)
  const folders = [...new Set(examples.map(({ files }) => files))]
  const compilerOptions = { declaration: false, isolatedDeclarations: false }
  const settings = { extends: '../../tsconfig.json', compilerOptions, include: ['**/*.ts'] }
  writeFiles(folder, { ...declarations, 'tsconfig.json': JSON.stringify(settings) })
  for (const [number, { text, files }] of examples.entries()) {
    const beside = `${folders.indexOf(files)}`
    writeFiles(join(folder, beside), { ...files, [`${number}.ts`]: text })
  }
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' })

  return stdout.replaceAll(
    /^\d+\/(\d+)\.ts/gm,
    (_, number: string) => examples[Number(number)]?.place ?? number,
  )
}

function writeProgram(folder: string, { text, files }: Example): string {
  writeFiles(folder, { ...files, 'example.ts': text })
  return join(folder, 'example.ts')
}

// Loaded before a program, it writes the types of the application that the program boots last.
const CAPTURE = `import { writeFileSync } from 'node:fs'
import { App } from 'sallyport'
import { declarationOf } from '../../src/inspection/route-types.ts'

const { boot } = App.prototype
App.prototype.boot = async function () {
  const app = await boot.call(this)
  const { text } = declarationOf((await app.inspection()).routes(), (await app.inspection()).locales)
  writeFileSync(new URL('routes.txt', import.meta.url), text)
  // A program that serves does not end by itself.
  setTimeout(() => process.exit(), 3000).unref()
  return app
}
`

describe('the examples of guides and docstrings', { concurrency: 2 }, () => {
  const examples = readPrograms()

  it('are programs that type-check', (t) => {
    assert.notEqual(examples.length, 0)
    assert.equal(checkTypes(t, examples), '')
  })

  it('would be caught when they do not', (t) => {
    const text = `import { App } from 'sallyport'\n\nApp.create().nothing()\n`
    const wrong = { place: 'guide.md:7', text, files: {} }

    assert.match(checkTypes(t, [wrong]), /^guide\.md:7\(3,14\): error TS2339/)
  })

  // Those of docstrings run in docstring-examples.test.ts.
  const ofGuides = examples.filter(({ place }) => !place.startsWith('src/'))

  // All in this process: none takes what another leaves, and a process for each would take a minute.
  for (const { place, text, files } of ofGuides.filter((example) => example.text.includes('node:assert'))) {
    it(`run: ${place}`, async (t) => {
      const folder = workspace(t)
      const file = writeProgram(folder, { place, text, files })

      await assert.doesNotReject(import(pathToFileURL(file).href))
    })
  }

  const generating = ofGuides.filter(
    ({ text }) => /\.url\(|redirectToRoute\(/.test(text) && text.includes('App.'),
  )

  it('generate URLs in more than one guide', () => {
    assert.ok(new Set(generating.map(({ place }) => place.split(':')[0])).size > 2)
  })

  // Per change, some of them: each needs a compiler of its own, since it declares the routes of its application.
  const stride = process.env['NIGHTLY'] === '1' ? 1 : 4
  const first = Math.floor(Math.random() * stride)
  for (const example of generating.filter((_, index) => index % stride === first)) {
    it(`type-check with the file of sallyport routes --types: ${example.place} [HOLD-36]`, async (t) => {
      const folder = workspace(t)
      const file = writeProgram(folder, example)
      writeFileSync(join(folder, 'capture.ts'), CAPTURE)
      const preload = ['--import', join(folder, 'capture.ts')]

      await execute(process.execPath, ['--conditions=sallyport-source', ...preload, file], {
        env: { ...process.env, PORT: '0' },
      })
      const types = readFileSync(join(folder, 'routes.txt'), 'utf8')

      assert.match(types, /^ {4}'[\w:]+': Values\d+$/m)
      assert.equal(checkTypes(t, [example], { 'routes.ts': types }), '')
    })
  }
})
