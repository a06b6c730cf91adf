import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { extractSteps, type Files, read, root, workspace, writeFiles } from './guide-code.ts'
import { notebookFiles, TUTORIAL, withLastBlocks } from './tutorial-text.ts'

const SOURCES = 'sallyport-source'
const CONDITION = `--conditions=${SOURCES}`
const { NODE_TEST_CONTEXT: _, ...environment } = process.env

interface Outcome {
  readonly code: number | null
  readonly output: string
}

function run(folder: string, args: readonly string[]): Outcome {
  const options = { cwd: folder, encoding: 'utf8', env: environment } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  return { code: status, output: stdout + stderr }
}

// With the compiler options of the reader. Sources stand in place of the declarations of the package, and their `lib`.
function checkTypes(folder: string): Outcome {
  const lib = ['es2024', 'esnext.disposable', 'esnext.iterator', 'esnext.collection']
  const compilerOptions = { customConditions: [SOURCES], lib }
  const settings = { extends: './tsconfig.json', compilerOptions }
  writeFiles(folder, { 'tsconfig.test.json': JSON.stringify(settings) })
  return run(folder, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.test.json'])
}

function checkRoutes(folder: string): Outcome {
  return run(folder, [CONDITION, join(root, 'src', 'cli', 'main.ts'), 'check', '--all'])
}

// Each page that a step has, asked by somebody who is not signed in.
const VISIT = `import { createApp } from './app.ts'
import { TestClient } from 'sallyport/testing'

const app = createApp()
app.onError((error) => console.error(error))
const client = new TestClient(app)
for (const path of ['/', '/notes', '/notes/new', '/sign-in']) {
  const { status } = await client.get(path)
  console.log(path, status)
}
await app.close()
`

function visit(folder: string): Outcome {
  writeFiles(folder, { 'visit.ts': VISIT })
  return run(folder, [CONDITION, 'visit.ts'])
}

function project(t: TestContext, files: Files): string {
  const folder = workspace(t)
  writeFiles(folder, files)
  return folder
}

describe('the tutorial', { concurrency: 2 }, () => {
  const steps = extractSteps(read(TUTORIAL))
  const upTo = (number: number): Files =>
    steps.slice(0, number + 1).reduce<Files>((all, { files }) => ({ ...all, ...files }), {})

  // Per change, some of them, at random; at night, all.
  const stride = process.env['NIGHTLY'] === '1' ? 1 : 4
  const first = Math.floor(Math.random() * stride)
  for (const [number, { title }] of steps.entries()) {
    if (number === 0 || number % stride !== first) continue
    it(`works after the step "${title}"`, (t) => {
      const folder = project(t, upTo(number))

      assert.deepEqual(checkTypes(folder), { code: 0, output: '' })
      const { code, output } = checkRoutes(folder)
      assert.equal(code, 0, output)
      assert.match(visit(folder).output, /^\/ 200\n(\/\S+ (?:200|303|404)\n){3}$/)
    })
  }

  it('passes the tests that it shows', (t) => {
    const { code, output } = run(project(t, upTo(steps.length)), [CONDITION, '--test'])

    assert.match(output, /^ℹ pass [1-9]/m)
    assert.equal(code, 0, output)
  })

  it('ends with the files of the notebook, and with no other [RA-3320]', () => {
    const files = notebookFiles()

    assert.equal(read(TUTORIAL), withLastBlocks(read(TUTORIAL), files), 'run "npm run tutorial"')
    assert.deepEqual(Object.keys(upTo(steps.length)).toSorted(), Object.keys(files).toSorted())
  })

  it('installs the packages of the notebook', () => {
    const { dependencies } = JSON.parse(read('examples/notebook/package.json')) as {
      readonly dependencies: object
    }
    const [, named = ''] = /^npm install (\S*sallyport\S* .+)$/m.exec(read(TUTORIAL)) ?? []
    const names = named.replace(/^\S+/, 'sallyport').split(' ')

    assert.deepEqual(names.toSorted(), Object.keys(dependencies).toSorted())
  })

  it('would be caught when a step does not compile', (t) => {
    const folder = project(t, {
      ...upTo(1),
      'app.ts': `import { App } from 'sallyport'\nApp.create().nothing()\n`,
    })

    assert.match(checkTypes(folder).output, /app\.ts\(2,14\): error TS2339/)
  })
})
