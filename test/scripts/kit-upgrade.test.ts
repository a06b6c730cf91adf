import assert from 'node:assert/strict'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { mergeManifest } from '../../packages/create-sallyport/src/kit/manifest.ts'
import { type Change, planChanges } from '../../packages/create-sallyport/src/kit/plan.ts'
import { readRecord } from '../../packages/create-sallyport/src/record.ts'
import { succeed } from '../cli/packed-package.ts'
import { change, commit, kit, otherKit, project, textOf } from './kit-project.ts'

const LONG = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('')
const LABELS = ['yours', 'kit 1', 'kit 2']

type Texts = Readonly<Record<string, string>>

function planned(ours: Texts, base: Texts, theirs: Texts): readonly Change[] {
  const tree = (texts: Texts): ReadonlyMap<string, Buffer> =>
    new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
  return planChanges({ ours: tree(ours), base: tree(base), theirs: tree(theirs), labels: LABELS })
}

describe('a file of the kit in an upgrade', () => {
  const first = LONG.replace('line 1\n', 'mine\n')
  const last = LONG.replace('line 18\n', 'theirs\n')
  const ROWS: readonly {
    readonly title: string
    readonly texts: readonly [ours: Texts, base: Texts, theirs: Texts]
    readonly expected: readonly string[]
    readonly text?: string
  }[] = [
    {
      title: 'gets the new text when nobody edited it',
      texts: [{ a: LONG }, { a: LONG }, { a: last }],
      expected: ['updated a'],
      text: last,
    },
    {
      title: 'stays when only the project edited it',
      texts: [{ a: first }, { a: LONG }, { a: LONG }],
      expected: [],
    },
    {
      title: 'gets both changes when they are in different places',
      texts: [{ a: first }, { a: LONG }, { a: last }],
      expected: ['merged a'],
      text: first.replace('line 18\n', 'theirs\n'),
    },
    {
      title: 'gets both changes when its lines end as on Windows',
      texts: [{ a: first.replaceAll('\n', '\r\n') }, { a: LONG }, { a: last }],
      expected: ['merged a'],
      text: first.replace('line 18\n', 'theirs\n').replaceAll('\n', '\r\n'),
    },
    {
      title: 'gets the markers of git when both changed one line',
      texts: [{ a: first }, { a: LONG }, { a: LONG.replace('line 1\n', 'theirs\n') }],
      expected: ['conflict a'],
      text: LONG.replace(
        'line 1\n',
        '<<<<<<< yours\nmine\n||||||| kit 1\nline 1\n=======\ntheirs\n>>>>>>> kit 2\n',
      ),
    },
    {
      title: 'is told nobody when both made the same change',
      texts: [{ a: last }, { a: LONG }, { a: last }],
      expected: [],
    },
    { title: 'is added when it is new', texts: [{}, {}, { a: LONG }], expected: ['added a'], text: LONG },
    {
      title: 'is written beside a file of the same name that the project made',
      texts: [{ a: 'mine\n' }, {}, { a: LONG }],
      expected: ['beside a.kit'],
      text: LONG,
    },
    {
      title: 'is written beside an edited one when it is no text',
      texts: [{ a: 'm\0' }, { a: '\0' }, { a: 't\0' }],
      expected: ['beside a.kit'],
      text: 't\0',
    },
    {
      title: 'goes when the kit has it no more',
      texts: [{ a: LONG }, { a: LONG }, {}],
      expected: ['removed a'],
    },
    {
      title: 'is kept when the kit has it no more and it was edited',
      texts: [{ a: first }, { a: LONG }, {}],
      expected: ['kept a'],
    },
    {
      title: 'stays deleted, which is told when the kit changed it',
      texts: [{}, { a: LONG }, { a: last }],
      expected: ['absent a'],
    },
    {
      title: 'stays deleted without a word when the kit did not',
      texts: [{}, { a: LONG }, { a: LONG }],
      expected: [],
    },
    {
      title: 'is found where the project moved it',
      texts: [{ 'x/b': first }, { a: LONG }, { a: last }],
      expected: ['merged x/b'],
      text: first.replace('line 18\n', 'theirs\n'),
    },
    {
      title: 'leaves a file alone that is only like it',
      texts: [{ 'x/b': first }, { a: LONG }, { a: LONG.replace('line 1\n', 'theirs\n') }],
      expected: ['absent x/b'],
    },
    {
      title: 'takes its edits along when the kit moves it',
      texts: [{ a: first }, { a: LONG }, { 'x/b': last }],
      expected: ['merged x/b'],
      text: first.replace('line 18\n', 'theirs\n'),
    },
  ]
  for (const { title, texts, expected, text } of ROWS)
    it(`${title} [RA-3311]`, () => {
      const changes = planned(...texts)

      assert.deepEqual(
        changes.map(({ outcome, path }) => `${outcome} ${path}`),
        expected,
      )
      assert.equal(changes[0]?.contents?.toString(), text)
    })

  it('is the new one when the project has made the same change before the kit moved it [RA-3311]', () => {
    const [change, ...more] = planned({ a: last }, { a: LONG }, { 'x/b': last })

    assert.deepEqual(more, [])
    assert.deepEqual([change?.outcome, change?.path, change?.from], ['merged', 'x/b', 'a'])
    assert.equal(change?.contents?.toString(), last)
  })

  it('moves as a whole: the edited one is not left at its old path [RA-3311]', () => {
    assert.equal(planned({ a: first }, { a: LONG }, { 'x/b': last })[0]?.from, 'a')
  })
})

describe('parts.ts in an upgrade', () => {
  const list = (names: readonly string[], more = ''): string =>
    [
      "import type { Part } from './core/part.ts'\n",
      ...names.map((name) => `import { ${name} } from './parts/${name}/part.ts'\n`),
      `\nexport const PARTS: readonly Part[] = [\n${more}`,
      ...names.map((name) => `  ${name},\n`),
      ']\n',
    ].join('')

  it('gets the parts of the kit beside those of the project, without a conflict [RA-3311 RA-3312]', () => {
    const [change] = planned(
      { 'parts.ts': list(['a', 'b', 'own']) },
      { 'parts.ts': list(['a', 'b']) },
      { 'parts.ts': list(['b', 'c'], '  // In the order of the menu.\n') },
    )

    assert.equal(change?.outcome, 'merged')
    assert.equal(change.contents?.toString(), list(['b', 'c', 'own'], '  // In the order of the menu.\n'))
  })

  it('gets the first part of an empty list [RA-3312]', () => {
    const empty = list([]).replace('[\n]', '[]')
    const [change] = planned(
      { 'parts.ts': `${empty}// mine\n` },
      { 'parts.ts': empty },
      { 'parts.ts': list(['a']) },
    )

    assert.equal(change?.contents?.toString(), `${list(['a'])}// mine\n`)
  })
})

describe('package.json in an upgrade', () => {
  const merged = (ours: object, base: object, theirs: object): unknown => {
    const text = (value: object): Buffer => Buffer.from(JSON.stringify(value))
    return JSON.parse(mergeManifest({ ours: text(ours), base: text(base), theirs: text(theirs) }).toString())
  }

  it('keeps the name of the project and what it added, and gets what the kit changed [RA-3311]', () => {
    assert.deepEqual(
      merged(
        { name: 'harbor', scripts: { dev: 'mine', lint: 'x' }, dependencies: { a: '1.0.0', mine: '1.0.0' } },
        { name: 'my-app', scripts: { dev: 'a', old: 'a' }, dependencies: { a: '1.0.0' } },
        { name: 'my-app', scripts: { dev: 'b', more: 'b' }, dependencies: { a: '1.1.0', b: '2.0.0' } },
      ),
      {
        name: 'harbor',
        scripts: { dev: 'mine', lint: 'x', more: 'b' },
        dependencies: { a: '1.1.0', mine: '1.0.0', b: '2.0.0' },
      },
    )
  })

  it('gets the newer of two versions, except where the project chose a range or a place [RA-3311]', () => {
    const ROWS: readonly (readonly [ours: string, theirs: string, expected: string])[] = [
      ['^1.2.0', '^1.10.0', '^1.10.0'],
      ['^2.0.0', '^1.10.0', '^2.0.0'],
      ['1.2.0 || 3', '^1.10.0', '1.2.0 || 3'],
      ['file:../a', '^1.10.0', 'file:../a'],
    ]
    for (const [ours, theirs, a] of ROWS)
      assert.deepEqual(
        merged(
          { dependencies: { a: ours } },
          { dependencies: { a: '^1.0.0' } },
          { dependencies: { a: theirs } },
        ),
        { dependencies: { a } },
      )
  })
})

describe('sallyport-kit upgrade', () => {
  const older = otherKit({
    'core/messages/en/layout.ts': (text) => text.replace('Skip to', 'Jump to'),
    'core/account-rights.ts': (text) => `${text}// An older line.\n`,
    'core/accounts/account.ts': null,
    'core/older.ts': () => '/** Gone. */\nexport const OLDER = 1\n',
    'package.json': (text) => text.replace(/"zod": "[^"]+"/, '"zod": "4.0.0"'),
    'docs/configuration.md': (text) => text.replace('## Environment', '## Environment variables'),
  })

  it('says what it would do, and writes nothing, when it is only asked [RA-3311]', () => {
    const app = project(older, '0.0.9')

    const { code, out } = kit(app, 'upgrade', '--dry-run')

    assert.equal(code, 0)
    assert.match(out, /^Would upgrade from version 0\.0\.9 of the kit to 0\.1\.0\.$/m)
    assert.match(out, /^Files: \d+ updated, 1 added, 1 removed\.$/m)
    assert.equal(succeed('git', ['status', '--short'], app), '')
  })

  it('makes what a new project is, when nothing was edited [RA-3311]', () => {
    const app = project(older, '0.0.9')

    const { code, out } = kit(app, 'upgrade')

    assert.equal(code, 0, out)
    assert.equal(succeed('diff', ['-r', '-x', '.git', '-x', 'WAYS-IN.md', project(), app], app), '')
    assert.match(kit(app, 'upgrade', '--force').out, /^No file changes\.$/m)
  })

  it('asks for the framework where the packed one of the project came without the package for applications [RA-3311]', () => {
    const app = project(older, '0.0.9')
    change(app, 'sallyport.lock.json', (text) => text.replace('^0.0.9', 'file:vendor/sallyport-0.0.9.tgz'))
    commit(app)

    const { code, out } = kit(app, 'upgrade')

    assert.equal(code, 2)
    assert.match(
      out,
      /^Nothing was changed: .* needs vendor\/sallyport-app-0\.0\.9\.tgz, too: pass --framework /,
    )
    change(app, 'vendor/sallyport-app-0.0.9.tgz', () => '')
    commit(app)
    assert.equal(kit(app, 'upgrade').code, 0)
    assert.match(textOf(app, 'package.json'), /"sallyport-app": "file:vendor\/sallyport-app-0\.0\.9\.tgz"/)
  })

  it('leaves alone what git ignores: it is neither a moved file nor overwritten [RA-3311]', () => {
    const app = project(older, '0.0.9')
    change(app, '.gitignore', (text) => `${text}private/\ncore/accounts/account.ts\n`)
    mkdirSync(join(app, 'private'))
    renameSync(join(app, 'core/account-rights.ts'), join(app, 'private/account-rights.ts'))
    change(app, 'core/accounts/account.ts', () => 'mine\n')
    commit(app)

    const { code, out } = kit(app, 'upgrade')

    assert.equal(code, 1)
    assert.match(out, /not here any more.*:\n {2}core\/account-rights\.ts$/m)
    assert.match(textOf(app, 'private/account-rights.ts'), /An older line/)
    assert.equal(textOf(app, 'core/accounts/account.ts'), 'mine\n')
    assert.ok(existsSync(join(app, 'core/accounts/account.ts.kit')))
  })

  it('keeps what was edited, moved and removed by hand, and leaves conflicts to the person [RA-3311]', () => {
    const app = project(older, '0.0.9')
    change(app, 'core/messages/en/layout.ts', (text) => text.replace('Jump to', 'Ours: go to'))
    change(app, 'package.json', (text) => text.replace('"name": "my-app"', '"name": "harbor"'))
    change(app, 'core/older.ts', (text) => `${text}// ours\n`)
    renameSync(join(app, 'core/account-rights.ts'), join(app, 'core/boot/opened-application.ts'))
    rmSync(join(app, 'parts/activity'), { recursive: true })
    change(app, 'parts.ts', (text) => text.replace(/^.*activity.*\n/gm, ''))
    commit(app)

    const { code, out } = kit(app, 'upgrade', '--json')
    const report = JSON.parse(out) as { readonly files: readonly { outcome: string; path: string }[] }
    const told = (outcome: string): readonly string[] =>
      report.files.filter((file) => file.outcome === outcome).map(({ path }) => path)

    assert.equal(code, 1)
    assert.deepEqual(told('conflict'), ['core/messages/en/layout.ts'])
    assert.deepEqual(told('merged'), ['package.json'])
    assert.deepEqual(told('kept'), ['core/older.ts'])
    assert.deepEqual(told('absent'), [])
    assert.ok(told('updated').includes('core/boot/opened-application.ts'))
    assert.match(
      textOf(app, 'core/messages/en/layout.ts'),
      /<<<<<<< yours\n.*Ours: go to[^]*>>>>>>> kit 0\.1\.0/,
    )
    assert.match(textOf(app, 'package.json'), /"name": "harbor"[^]*"sallyport": "\^0\.1\.0"/)
    assert.doesNotMatch(textOf(app, 'core/boot/opened-application.ts'), /An older line/)
    assert.equal(existsSync(join(app, 'parts/activity')), false)
    assert.deepEqual(readRecord(app).lock.parts, ['passkeys', 'sessions'])
  })
})
