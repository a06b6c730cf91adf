import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { succeed } from '../cli/packed-package.ts'
import { type Example, extractFiles, read, readPrograms, root, workspace, writeFiles } from './guide-code.ts'

/** A project of a reader: the package is installed. */
function project(t: TestContext): string {
  const folder = workspace(t)
  const installed = join(folder, 'node_modules', 'sallyport')
  writeFiles(installed, { 'package.json': read('package.json') })
  succeed(process.execPath, [join(root, 'scripts/build.mjs'), join(installed, 'dist')], folder)
  writeFiles(folder, { 'package.json': '{ "name": "reader", "type": "module" }' })
  return folder
}

function checkTypes(folder: string): string {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return spawnSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' }).stdout
}

function writePrograms(folder: string, programs: readonly Example[]): void {
  const compilerOptions = { declaration: false, isolatedDeclarations: false, customConditions: [] }
  const settings = { extends: '../../tsconfig.json', compilerOptions, include: ['**/*.ts'] }
  writeFiles(folder, { 'tsconfig.json': JSON.stringify(settings) })
  for (const { place, text, files } of programs) {
    const [guide = '', line = ''] = place.split(':')
    writeFiles(join(folder, guide.replaceAll('/', '-')), { ...files, [`line-${line}.ts`]: text })
  }
}

describe('with the declarations of the package alone', { concurrency: 2 }, () => {
  it('the programs of guides and docstrings type-check', (t) => {
    const folder = project(t)
    writePrograms(folder, readPrograms())

    assert.equal(checkTypes(folder), '')
  })

  it('the tutorial type-checks with the compiler options that it shows', (t) => {
    const folder = project(t)
    writeFiles(folder, extractFiles(read('docs/tutorial.md')))

    assert.equal(checkTypes(folder), '')
  })

  // What is about Node, or names the types of a package that is left out.
  const OTHERS = /^\.\/(?:node|package\.json|telemetry)$/

  it('a program without the types of Node type-checks, declarations and all [HOST-01]', (t) => {
    const folder = project(t)
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: object }
    const names = Object.keys(exports).filter((name) => !OTHERS.test(name))
    assert.ok(names.length > 10)
    const lines = names.map(
      (name, index) => `export * as part${index} from '${name.replace('.', 'sallyport')}'\n`,
    )
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024', 'esnext', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    }
    writeFiles(folder, { 'tsconfig.json': JSON.stringify({ compilerOptions }), 'all.ts': lines.join('') })

    assert.equal(checkTypes(folder), '')
  })

  it('a program that uses what is not published would be caught', (t) => {
    const folder = project(t)
    const text = `import { App } from 'sallyport'\n\nexport const answer = App.create().handle()\n`
    writePrograms(folder, [{ place: 'guide.md:3', text, files: {} }])

    assert.match(checkTypes(folder), /^guide\.md\/line-3\.ts\(3,36\): error TS2339/)
  })
})
