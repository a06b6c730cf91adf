import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { chooseParts, type KitPart, partsOf } from '../../packages/create-sallyport/src/catalogue.ts'
import { writeFiles } from '../../packages/create-sallyport/src/files.ts'
import { type Asked, readOptions, withDefaults } from '../../packages/create-sallyport/src/options.ts'
import { filesOf } from '../../packages/create-sallyport/src/project.ts'
import { readRecord } from '../../packages/create-sallyport/src/record.ts'
import { run, succeed } from '../cli/packed-package.ts'
import { root } from './guide-code.ts'
import { CREATE, SHELL } from './starter-copy.ts'

const KIT = join(root, 'starter')
const PARTS: readonly KitPart[] = [
  { name: 'a', line: 'a', needs: [] },
  { name: 'b', line: 'b', needs: ['a'] },
  { name: 'c', line: 'c', needs: ['b'] },
  { name: 'sessions', line: 'sessionList', needs: [] },
]
const FULL = { preset: 'full', added: [], left: [] }
const PROJECT = { name: 'my-app', languages: ['en', 'de'], framework: '^0.1.0', version: '0.1.0' }

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-create-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Packs the package as it is published, in a folder of its own; gives the path of the packed file. */
function pack(source: string): string {
  for (const name of ['package.json', 'files', 'README.md', 'CHANGELOG.md'])
    cpSync(join(root, 'packages/create-sallyport', name), join(source, name), { recursive: true })
  succeed(process.execPath, ['packages/create-sallyport/pack.mjs', source], root)
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', source]
  return join(source, succeed('npm', words, source).trim().split('\n').at(-1) ?? '')
}

describe('the parts of a new project', () => {
  it('are all of them, or those of a preset [RA-3303]', () => {
    assert.deepEqual(chooseParts(PARTS, FULL), ['a', 'b', 'c', 'sessions'])
    assert.deepEqual(chooseParts(partsOf(KIT), { ...FULL, preset: 'standard' }), [
      'activity',
      'passkeys',
      'sessions',
    ])
  })

  it('come with what they need, and go with what needs them [RA-3303]', () => {
    const none = { preset: 'full', left: PARTS.map(({ name }) => name), added: [] }
    assert.deepEqual(chooseParts(PARTS, none), [])
    assert.deepEqual(chooseParts(PARTS, { ...FULL, left: ['b'] }), ['a', 'sessions'])
    const added = chooseParts(partsOf(KIT), { preset: 'standard', added: ['administration-api'], left: [] })
    assert.ok(['administration', 'api', 'administration-api'].every((name) => added.includes(name)))
  })

  it('are refused with the reason when they are unknown or contradict each other [RA-3303]', () => {
    const refused = (wanted: Partial<typeof FULL>, reason: RegExp): void =>
      assert.throws(() => chooseParts(PARTS, { ...FULL, ...wanted }), { name: 'RangeError', message: reason })
    refused({ preset: 'tiny' }, /no preset "tiny": use minimal, standard, full/)
    refused({ preset: 'minimal', added: ['a'] as never }, /preset "minimal" has no parts/)
    refused({ left: ['x'] as never }, /no part "x": use a, b, c, sessions/)
    refused(
      { added: ['c'] as never, left: ['sessions', 'a'] as never },
      /"c" needs "a", which is left out: leave out both, or neither/,
    )
    refused({ added: ['b'] as never, left: ['b'] as never }, /"b" is both added and left out/)
  })
})

describe('the words of create-sallyport', () => {
  const asked = (...words: string[]): Asked => withDefaults(readOptions(words) ?? assert.fail('that is help'))

  it('name the project after its folder, unless they say otherwise [RA-3301]', () => {
    assert.equal(asked('/srv/My-App').name, 'my-app')
    assert.equal(asked('/srv/x', '--name', '@team/app').name, '@team/app')
    assert.deepEqual(asked('x', '--with', 'a,b', '--without', 'c').added, ['a', 'b'])
    assert.equal(asked('x', '--no-git').usesGit, false)
    assert.equal(readOptions(['--help']), null)
  })

  it('are refused when no folder, or no name, can be made of them [RA-3301]', () => {
    assert.throws(() => asked(), TypeError)
    assert.throws(() => asked('a', 'b'), TypeError)
    assert.throws(() => asked('a', '--colour', 'red'), TypeError)
    for (const [words, way] of [
      [['/srv/my app'], 'my-app'],
      [['x', '--name', 'Harbor'], 'harbor'],
      [['x', '--name', '@Team/Own App'], '@team/own-app'],
      [['/srv/港'], 'with lower-case letters, digits and hyphens'],
    ] as const)
      assert.throws(() => asked(...words), {
        name: 'RangeError',
        message: new RegExp(`^".+" cannot be the name of a package: pass --name ${way}$`),
      })
  })
})

describe('the files of a new project', () => {
  const files = filesOf(KIT, { ...PROJECT, parts: ['passkeys', 'mail-codes'] })
  const textOf = (path: string): string => String(files.get(path) ?? '')

  it('have its name, the framework and the scripts, and no trace of the checkout [RA-3301]', () => {
    const manifest = JSON.parse(textOf('package.json')) as {
      readonly name: string
      readonly scripts: object
      readonly dependencies: Readonly<Record<string, string>>
    }
    assert.equal(manifest.name, 'my-app')
    assert.match(textOf('core/brand.ts'), /^ {2}name: 'My app',$/m)
    assert.match(textOf('docs/dashboard.json'), /"title": "My app",\n {2}"uid": "my-app",/)
    for (const path of ['SECURITY.md', 'docs/dashboard.json'])
      assert.doesNotMatch(textOf(path), /starter/i, path)
    assert.equal(manifest.dependencies['sallyport'], '^0.1.0')
    for (const script of ['dev', 'start', 'test', 'check', 'build'])
      assert.ok(script in manifest.scripts, script)
    assert.doesNotMatch(textOf('README.md') + textOf('AGENTS.md'), /\{\{\w/)
    for (const path of [...files.keys()].filter((each) => /\.(?:md|json|yml|mjs)$/.test(each)))
      assert.doesNotMatch(textOf(path), /sallyport-source|\]\((?:\.\.\/)+docs\//, path)
  })

  it('are those of its parts, with the settings of these in .env.example [RA-3301 RA-3303]', () => {
    const folders = new Set([...files.keys()].flatMap((path) => /^parts\/([\w-]+)\//.exec(path)?.[1] ?? []))
    assert.deepEqual([...folders].toSorted(), ['mail-codes', 'passkeys'])
    assert.deepEqual(textOf('parts.ts').match(/^ {2}\w+,$/gm), ['  mailCodes,', '  passkeys,'])
    assert.match(textOf('.env.example'), /^#PORT=$/m)
    assert.match(textOf('.env.example'), /^#MAIL_CODES=$/m)
    assert.doesNotMatch(textOf('.env.example'), /HOTP/)
    assert.match(textOf('.gitignore'), /^\.data\/$/m)
    assert.match(textOf('.gitignore'), /^!\.env\.example$/m)
  })

  it('are recorded, each with its text and apart from what is made anew [RA-3301 RA-3311]', (t) => {
    const folder = temporary(t)
    writeFiles(folder, files)

    const { lock, base } = readRecord(folder)

    assert.deepEqual(lock, { ...PROJECT, parts: ['passkeys', 'mail-codes'], security: [] })
    const others = ['WAYS-IN.md', 'sallyport.lock.json', '.sallyport/base.json', '.sallyport/.gitattributes']
    assert.deepEqual([...base.keys()], [...files.keys()].filter((path) => !others.includes(path)).toSorted())
    assert.equal(base.get('parts.ts')?.toString(), textOf('parts.ts'))
  })
})

describe('create-sallyport', () => {
  it('writes into an empty folder only, where there can be one, and says so in one line [RA-3301]', (t) => {
    const folder = temporary(t)
    writeFileSync(join(folder, 'mine.txt'), 'mine')

    for (const [path, refused] of [
      [folder, /^Cannot make a project: \S+ is not empty: name another folder\n$/],
      [
        join(folder, 'mine.txt/app'),
        /^Cannot make a project: no folder can be made in \S+mine\.txt \(ENOTDIR\)/,
      ],
      ...(existsSync('/proc')
        ? [['/proc/my/app', /^Cannot make a project: no folder can be made in \/proc \(\w+\)/] as const]
        : []),
    ] as const) {
      const { code, out } = run(process.execPath, [CREATE, path], root)

      assert.equal(code, 1, path)
      assert.match(out, refused)
    }
    assert.deepEqual(readdirSync(folder), ['mine.txt'])
  })

  it('refuses what cannot be made before it packs the framework [RA-3301]', (t) => {
    const checkout = temporary(t)
    mkdirSync(join(checkout, 'scripts'))
    writeFileSync(
      join(checkout, 'scripts/pack.mjs'),
      "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('packed', import.meta.url), '')\nprocess.exit(3)\n",
    )
    const create = (...words: readonly string[]): ReturnType<typeof run> =>
      run(process.execPath, [CREATE, ...words, '--yes', '--framework', checkout], checkout)
    for (const words of [
      ['scripts'],
      ['app', '--name', 'my app'],
      ['app', '--with', 'x'],
      ['app', '--database', 'paper'],
      ['app', '--languages', 'en,tlh'],
    ])
      assert.equal(create(...words).code, 1, words.join(' '))
    assert.deepEqual(readdirSync(join(checkout, 'scripts')), ['pack.mjs'])

    assert.match(create('app').out, /^Cannot make a project: the framework cannot be packed/)
    assert.deepEqual(readdirSync(checkout), ['scripts'])
  })

  it('leaves nothing behind when Ctrl+C ends it while it installs [RA-3321]', (t) => {
    const folder = temporary(t)
    // In place of npm, a program that is interrupted.
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\nkill -INT $$\n', { mode: 0o755 })
    const path = `PATH=${folder}:${process.env['PATH'] ?? ''}`

    const { code, out } = run('env', [path, process.execPath, CREATE, 'my-app', '--yes'], folder)

    assert.equal(code, 130)
    assert.match(out, /\nNothing was made\.\n/)
    assert.deepEqual(readdirSync(folder), ['npm'])
  })

  it('works as it is published, and commits what it made [RA-3301 RA-3302]', (t) => {
    const folder = temporary(t)
    const packed = pack(join(folder, 'create-sallyport'))
    succeed('tar', ['-xzf', packed], folder)
    const identity = ['GIT_AUTHOR_', 'GIT_COMMITTER_'].flatMap((who) => [`${who}NAME=a`, `${who}EMAIL=a@b.c`])
    const asked = ['package/dist/main.js', 'my-app', '--preset', 'standard', '--no-install']
    succeed('env', [...SHELL, ...identity, process.execPath, ...asked], folder)

    const app = join(folder, 'my-app')
    assert.ok(existsSync(join(app, '.gitignore')))
    assert.equal(succeed('git', ['status', '--short'], app), '')
    assert.match(succeed('git', ['log', '--oneline'], app), /^\w+ Begin with the kit of Sallyport\n$/)

    // As npx would install them.
    const modules = join(folder, 'node_modules')
    cpSync(join(folder, 'package'), join(modules, 'create-sallyport'), { recursive: true })
    cpSync(join(root, 'packages/sallyport-kit'), join(modules, 'sallyport-kit'), { recursive: true })
    const kit = join(modules, 'sallyport-kit/main.mjs')
    assert.match(succeed(process.execPath, [kit, 'list'], app), /^ {2}passkeys /m)
    assert.match(succeed(process.execPath, [kit, 'upgrade', '--dry-run'], app), /^No file changes\.$/m)
  })
})

describe('npm run create', () => {
  it('makes a project with the framework of the checkout, where it was typed [RA-3301]', (t) => {
    const folder = temporary(t)
    const words = ['my-app', '--preset', 'minimal', '--no-install', '--no-git']

    const out = succeed('env', [`INIT_CWD=${folder}`, process.execPath, 'scripts/create.mjs', ...words], root)

    assert.match(
      out,
      /^Made my-app in \S+my-app\.\n\nNext:\n {2}cd my-app\n {2}npm install\n {2}npm run dev\n$/m,
    )
    const manifest = readFileSync(join(folder, 'my-app/package.json'), 'utf8')
    const [, packed = ''] = /"sallyport": "file:(vendor\/sallyport-[\d.]+\.tgz)"/.exec(manifest) ?? []
    const files = succeed('tar', ['-tzf', packed], join(folder, 'my-app')).split('\n')
    for (const name of ['dist/index.js', 'docs/tutorial.md'])
      assert.ok(files.includes(`package/${name}`), name)
  })
})
