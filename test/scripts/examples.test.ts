import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { readFiles } from '../architecture/project.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** A program in a guide or a docstring. */
interface Example {
  /** File and line, for messages. */
  readonly place: string
  readonly text: string
  /** Templates of its guide, by their path beside the program. */
  readonly templates: Readonly<Record<string, string>>
}

/** Takes the fenced blocks of TypeScript out of a text; ` * ` before a line belongs to the comment around it. */
function extract(path: string, text: string): Example[] {
  const templates = extractTemplates(text)
  return [...text.matchAll(/^([ \t]*(?:\* )?)```ts\n([^]*?)^[ \t]*(?:\* ?)?```/gm)].map((match) => ({
    place: `${path}:${text.slice(0, match.index).split('\n').length}`,
    text: (match[2] ?? '').replaceAll(/^[ \t]*\* ?/gm, (prefix) => (match[1]?.includes('*') ? '' : prefix)),
    templates,
  }))
}

/** Takes the fenced blocks that stand below the name of their file: `views/page.edge`. */
function extractTemplates(text: string): Readonly<Record<string, string>> {
  const blocks = text.matchAll(/^`(views\/[\w/-]+\.edge)`:\n\n```edge\n([^]*?)^```/gm)
  return Object.fromEntries([...blocks].map(([, name = '', template = '']) => [name, template]))
}

function readExamples(): Example[] {
  const guides = [
    'README.md',
    'starter/README.md',
    ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ]
  const markdown = guides
    .filter((path) => path.endsWith('.md') && existsSync(join(root, path)))
    .flatMap((path) => extract(path, readFileSync(join(root, path), 'utf8')))
  return [...markdown, ...readFiles('src').flatMap(({ path, text }) => extract(path, text))]
}

/** Inside of the checkout, where `sallyport` can be imported by name. */
function workspace(t: TestContext): string {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp', 'examples-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function checkTypes(
  t: TestContext,
  examples: readonly Example[],
  declarations: Readonly<Record<string, string>> = {},
): string {
  const folder = workspace(t)
  for (const [name, text] of Object.entries(declarations)) writeFileSync(join(folder, name), text)
  const compilerOptions = { declaration: false, isolatedDeclarations: false }
  const settings = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  for (const [number, { text }] of examples.entries()) writeFileSync(join(folder, `${number}.ts`), text)
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' })

  return stdout.replaceAll(/^(\d+)\.ts/gm, (_, number: string) => examples[Number(number)]?.place ?? number)
}

function writeProgram(folder: string, { text, templates }: Example): string {
  const file = join(folder, 'example.ts')
  writeFileSync(file, text)
  for (const [name, template] of Object.entries(templates)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), template)
  }
  return file
}

// Loaded before a program, it writes the types of the application that the program boots last.
const CAPTURE = `import { writeFileSync } from 'node:fs'
import { App } from 'sallyport'
import { declarationOf } from '../../src/cli/declaration.ts'

const { boot } = App.prototype
App.prototype.boot = async function () {
  const app = await boot.call(this)
  const { text } = declarationOf(app.router().routes(), app.router().locales)
  writeFileSync(new URL('routes.txt', import.meta.url), text)
  // A program that serves does not end by itself.
  setTimeout(() => process.exit(), 3000).unref()
  return app
}
`

describe('extract()', () => {
  it('takes blocks of TypeScript out of a guide, and nothing else', () => {
    const guide = 'Text\n\n```ts\nconst a = 1\n```\n\n```sh\nnpm start\n```\n'

    assert.deepEqual(extract('a.md', guide), [{ place: 'a.md:3', text: 'const a = 1\n', templates: {} }])
  })

  it('takes the templates of a guide with it', () => {
    const guide = '```ts\nconst a = 1\n```\n\n`views/cart/index.edge`:\n\n```edge\n<p>\n```\n'

    assert.deepEqual(extract('a.md', guide)[0]?.templates, { 'views/cart/index.edge': '<p>\n' })
  })

  it('takes them out of a docstring, without its stars', () => {
    const source = '/**\n * Text.\n *\n * ```ts\n * const a = {\n *   b: 1,\n * }\n * ```\n */\n'

    assert.deepEqual(extract('a.ts', source), [
      { place: 'a.ts:4', text: 'const a = {\n  b: 1,\n}\n', templates: {} },
    ])
  })
})

describe('the examples of guides and docstrings', { concurrency: 2 }, () => {
  const examples = readExamples()

  it('are programs that type-check as they are', (t) => {
    assert.notEqual(examples.length, 0)
    assert.equal(checkTypes(t, examples), '')
  })

  it('would be caught when they do not', (t) => {
    const text = `import { App } from 'sallyport'\n\nApp.create().nothing()\n`
    const wrong = { place: 'guide.md:7', text, templates: {} }

    assert.match(checkTypes(t, [wrong]), /^guide\.md:7\(3,14\): error TS2339/)
  })

  for (const { place, text, templates } of examples.filter((example) =>
    example.text.includes('node:assert'),
  )) {
    it(`run: ${place}`, async (t) => {
      const folder = workspace(t)
      const file = writeProgram(folder, { place, text, templates })

      await assert.doesNotReject(execute(process.execPath, ['--conditions=source', file]))
    })
  }

  const generating = examples.filter(
    ({ text }) => /\.url\(|redirectToRoute\(/.test(text) && text.includes('App.'),
  )

  it('generate URLs in more than one guide', () => {
    assert.ok(new Set(generating.map(({ place }) => place.split(':')[0])).size > 2)
  })

  for (const example of generating) {
    it(`HOLD-36: type-check with the file of sallyport routes --types: ${example.place}`, async (t) => {
      const folder = workspace(t)
      const file = writeProgram(folder, example)
      writeFileSync(join(folder, 'capture.ts'), CAPTURE)
      const preload = ['--import', join(folder, 'capture.ts')]

      await execute(process.execPath, ['--conditions=source', ...preload, file], {
        env: { ...process.env, PORT: '0' },
      })
      const types = readFileSync(join(folder, 'routes.txt'), 'utf8')

      assert.match(types, /^ {4}'[\w:]+': Values\d+$/m)
      assert.equal(checkTypes(t, [example], { 'routes.ts': types }), '')
    })
  }

  it('run: the program of the README answers as the README says', async (t) => {
    const program = examples.find(
      ({ place, text }) => place.startsWith('README.md') && text.includes('serve('),
    )
    assert.ok(program !== undefined, 'the README has no program that serves')
    const file = join(workspace(t), 'program.ts')
    writeFileSync(file, program.text)
    const child = spawn(process.execPath, ['--conditions=source', file], {
      env: { ...process.env, PORT: '0' },
    })
    t.after(() => child.kill('SIGKILL'))
    child.stderr.pipe(process.stderr)
    const ended = once(child, 'exit').then((): never => assert.fail('the program ended without a line'))
    const printed: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
    const url = /http:\/\/\S+/.exec(String(printed[0]))?.[0] ?? ''

    const home = await fetch(url)
    const greeting = await fetch(new URL('/hello/Ada', url))

    assert.match(await home.text(), /href="\/hello\/Ada"/)
    assert.deepEqual(await greeting.json(), { hello: 'Ada' })
  })
})
