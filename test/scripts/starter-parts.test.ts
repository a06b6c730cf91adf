import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { partOf } from '../../scripts/test/parts.ts'
import { root } from './guide-code.ts'
import { copyStarter, SHELL } from './starter-copy.ts'

// Each is a compilation, or a run of all tests. Per change, some of them, at random; at night, all.
const IS_NIGHT = process.env['NIGHTLY'] === '1'
const STRIDE = IS_NIGHT ? 1 : 4
const FIRST = Math.floor(Math.random() * STRIDE)
// A run of all tests takes minutes: a few parts a night.
const NIGHTS = 7
const TONIGHT = Math.floor(Math.random() * NIGHTS)
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

/** Test files of a copy that `npm test` of a change runs in the starter: no models, no start of processes. */
function filesOf(copy: string): readonly string[] {
  const quick = globSync('test/**/*.test.ts', { cwd: copy })
    .toSorted()
    .filter((file) => partOf(`starter/${file}`).isQuick && !file.startsWith('test/browser/'))
  assert.ok(quick.length > 50, `${quick.length} files`)
  return quick
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

  /** Runs tests of what is left; without words, all. */
  const passes = async (...words: readonly string[]): Promise<void> => {
    const { out, isGood } = await run('npm', 'test', '--silent', '--', ...words)
    assert.ok(isGood, out)
  }

  for (const part of ALL.filter((_, index) => index % STRIDE === FIRST))
    it(`compiles without the part ${part.name} [RA-3303]`, () => compiles([part]))

  it('compiles without any part [RA-3303]', () => compiles(ALL))

  // Groups, because a test that does not end for minutes is taken for one that hangs.
  for (const group of [0, 1, 2])
    it(`passes tests of the core without any part: group ${group + 1} of 3 [RA-3303]`, async () => {
      remove(ALL)
      await run('npm', 'run', 'ways-in', '--silent')
      const files = filesOf(copy).filter((_, index) => index % STRIDE === FIRST)
      await passes(...files.filter((_, index) => index % 3 === group))
    })

  for (const part of IS_NIGHT ? ALL.filter((_, index) => index % NIGHTS === TONIGHT) : [])
    it(`passes all tests without the part ${part.name} [RA-3303]`, async () => {
      remove(withNeeding(part))
      await run('npm', 'run', 'ways-in', '--silent')
      await passes()
    })

  for (const pair of IS_NIGHT ? pairs() : [])
    it(`compiles without ${pair.map(({ name }) => name).join(' and ')} [RA-3303]`, () => compiles(pair))
})
