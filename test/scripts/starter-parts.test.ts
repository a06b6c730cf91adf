import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { partOf } from '../../scripts/test/parts.ts'
import { read, root } from './guide-code.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

// Each is a compilation, or a run of all tests. Per change, some of them, at random; at night, all.
const IS_NIGHT = process.env['NIGHTLY'] === '1'
const STRIDE = IS_NIGHT ? 1 : 4
const FIRST = Math.floor(Math.random() * STRIDE)
const NAMES = readdirSync(join(root, 'starter/parts')).toSorted()

// A part, what its line in parts.ts is called, and which parts build upon it.
interface Removable {
  readonly name: string
  readonly line: string
  readonly source: string
}

function removable(name: string): Removable {
  const source = readFileSync(join(root, 'starter/parts', name, 'part.ts'), 'utf8')
  const list = readFileSync(join(root, 'starter/parts.ts'), 'utf8')
  const [, line = ''] =
    new RegExp(`^import \\{ (\\w+) \\} from './parts/${name}/part.ts'$`, 'm').exec(list) ?? []
  assert.notEqual(line, '', `parts.ts names ${name}`)
  return { name, line, source }
}

const ALL = NAMES.map(removable)

/** The part and whatever needs it, which goes with it. */
function withNeeding(part: Removable): readonly Removable[] {
  const needing = ALL.filter(({ source }) => /needs: \[([^\]]*)\]/.exec(source)?.[1]?.includes(part.line))
  return [part, ...needing.flatMap(withNeeding)]
}

/** Which members of `Part` it gives, and which slots. */
function pointsOf({ source }: Removable): readonly string[] {
  return [...source.matchAll(/^ {2,4}(\w+)(?::|\()/gm)].map(([, name = '']) => name)
}

/** Two parts that give the same: only in the nightly run, because each is a compilation. */
function pairs(): readonly (readonly Removable[])[] {
  const common = new Set([
    'name',
    'modules',
    'views',
    'texts',
    'migration',
    'events',
    'environment',
    'settings',
  ])
  return ALL.flatMap((one, index) =>
    ALL.slice(index + 1)
      .filter((other) => pointsOf(one).some((point) => !common.has(point) && pointsOf(other).includes(point)))
      .map((other) => [one, other]),
  )
}

/** How a program ended, and what it wrote. */
interface Ended {
  readonly isGood: boolean
  readonly out: string
}

// What `npm test` of the starter runs.
const { scripts } = JSON.parse(read('starter/package.json')) as {
  readonly scripts: { readonly test: string }
}
const PATTERNS = [...scripts.test.matchAll(/"([^"]+)"/g)].flatMap(([, pattern = '']) => expanded(pattern))
const ofParts = PATTERNS.filter((pattern) => pattern.startsWith('parts/'))
const ofCore = PATTERNS.filter((pattern) => !pattern.startsWith('parts/'))

/** One pattern for each word in braces. */
function expanded(pattern: string): readonly string[] {
  const [braces, words] = /\{([^}]+)\}/.exec(pattern) ?? []
  return words === undefined || braces === undefined
    ? [pattern]
    : words.split(',').map((word) => pattern.replace(braces, word))
}

/** Per change, what `npm test` runs of it, without the models, and no start of processes. */
function filesOf(pattern: string): readonly string[] {
  if (IS_NIGHT) return [pattern]
  return globSync(pattern, { cwd: join(root, 'starter') }).filter((file) => partOf(`starter/${file}`).isQuick)
}

/** As many as end within the patience for a test. */
function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  return [0, 1, 2, 3].map((rest) => names.filter((_, index) => index % 4 === rest))
}

describe('a copy of the starter', () => {
  let copy = ''

  before(() => {
    copy = copyStarter()
  })

  /** Deletes folders and lines, and nothing else. */
  const remove = (parts: readonly Removable[]): void => {
    rmSync(join(copy, 'parts'), { recursive: true, force: true })
    cpSync(join(root, 'starter/parts'), join(copy, 'parts'), { recursive: true })
    let list = readFileSync(join(root, 'starter/parts.ts'), 'utf8')
    for (const { name, line } of parts) {
      rmSync(join(copy, 'parts', name), { recursive: true, force: true })
      list = list
        .replace(new RegExp(`^import .*/${name}/part.ts'\\n`, 'm'), '')
        .replace(`\n  ${line},\n`, '\n')
    }
    writeFileSync(join(copy, 'parts.ts'), list)
  }

  // Not synchronously: the run would hear of no test until the last one has ended.
  const run = (...command: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const cache = `NODE_COMPILE_CACHE=${join(copy, '../compiled')}`
      const args = ['-u', 'NIGHTLY', '-u', 'NODE_OPTIONS', ...SHELL, 'NO_COLOR=1', cache, ...command]
      const options = { cwd: copy, maxBuffer: 64 * 1024 * 1024 }
      execFile('env', args, options, (error, out, errors) =>
        resolve({ isGood: error === null, out: out + errors }),
      )
    })

  // One removal changes few files: the compiler looks at these again.
  const compiles = async (parts: readonly Removable[]): Promise<void> => {
    remove(parts.flatMap(withNeeding))
    const again = ['--', '--incremental', '--tsBuildInfoFile', join(copy, '../compiled.tsbuildinfo')]
    const ended = await run('npm', 'run', 'check', '--silent', ...again)
    assert.deepEqual(ended, { isGood: true, out: '' })
  }

  const passes = async (parts: readonly Removable[], files: readonly string[]): Promise<void> => {
    remove(parts.flatMap(withNeeding))
    const { out, isGood } = await run(process.execPath, '--test', '--test-isolation=none', ...files)
    assert.ok(isGood, out)
    assert.match(out, /^ℹ fail 0$/m, out)
    assert.doesNotMatch(out, /^ℹ pass 0$/m, out)
  }

  for (const part of ALL.filter((_, index) => index % STRIDE === FIRST))
    it(`compiles without the part ${part.name} [RA-3303]`, () => compiles([part]))

  it('compiles without any part [RA-3303]', () => compiles(ALL))

  for (const pattern of ofCore.filter((each) => filesOf(each).length > 0))
    it(`passes ${pattern} without any part [RA-3303]`, () => passes(ALL, filesOf(pattern)))

  for (const names of IS_NIGHT ? groupsOf(NAMES) : [])
    it(`passes the tests of ${names.join(', ')} [RA-3302]`, () =>
      passes(
        [],
        ofParts.flatMap((pattern) => names.map((name) => pattern.replace('*', name))),
      ))

  for (const part of IS_NIGHT ? ALL : [])
    it(`passes its tests without the part ${part.name} [RA-3303]`, () =>
      passes([part], [...ofCore, ...ofParts]))

  for (const pair of IS_NIGHT ? pairs() : [])
    it(`compiles without ${pair.map(({ name }) => name).join(' and ')} [RA-3303]`, () => compiles(pair))
})
