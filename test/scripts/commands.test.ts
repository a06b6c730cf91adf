import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { chunksOf, findTestFiles, partOf, parts } from '../../scripts/test/parts.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A checkout of its own: the scripts and packages of this one, other files. */
function checkout(t: TestContext, files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  cpSync(join(root, 'scripts'), join(path, 'scripts'), { recursive: true })
  cpSync(join(root, 'package-lock.json'), join(path, 'package-lock.json'))
  cpSync(join(root, '.oxfmtrc.json'), join(path, '.oxfmtrc.json'))
  mkdirSync(join(path, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(path, 'node_modules', name))
  }
  const settings = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "include": ["test"] }',
    '.oxlintrc.json': '{ "ignorePatterns": ["node_modules/**", "scripts/**"] }',
  }
  for (const [name, contents] of Object.entries({ ...settings, ...files })) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), contents)
  }
  return path
}

function run(
  t: TestContext,
  folder: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: {
      ...env,
      CI: 'true',
      CHROMIUM: process.execPath,
      REDIS_SERVER: process.execPath,
      POSTGRES_SERVER: process.execPath,
      ...environment,
    },
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function finish(
  child: ChildProcessWithoutNullStreams,
): Promise<{ stdout: string; stderr: string; code: unknown }> {
  const [stdout, stderr, exit]: [string, string, unknown[]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { stdout, stderr, code: exit[0] }
}

describe('npm start', () => {
  const main = `
    process.on('SIGTERM', () => { console.log('leaving'); process.exit(7) })
    setInterval(() => {}, 1000)
    console.log(process.version, process.execArgv.join(), process.argv.slice(2).join())`

  it('runs the starter from its sources, with the arguments given', async (t) => {
    const folder = checkout(t, { 'starter/main.ts': `${main}; process.exit(3 as number)` })

    const { stdout, code } = await finish(run(t, folder, ['scripts/start.mjs', '--port', '1']))

    assert.match(stdout, /^v\d+\.\d+\.\d+ --conditions=sallyport-source --port,1\n$/)
    assert.equal(code, 3)
  })

  it('passes a signal on and ends with the code of the application', async (t) => {
    const folder = checkout(t, { 'starter/main.ts': main })
    const child = run(t, folder, ['scripts/start.mjs'])
    child.stdout.once('data', () => child.kill('SIGTERM'))

    const { stdout, code } = await finish(child)

    assert.match(stdout, /leaving\n$/)
    assert.equal(code, 7)
  })

  it('ends the application when the shell between npm and it dies of the signal', async (t) => {
    const folder = checkout(t, { 'starter/main.ts': main })
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const shell = spawn('sh', ['-c', '"$0" scripts/start.mjs; true', process.execPath], { cwd: folder, env })
    shell.stdout.once('data', () => shell.kill('SIGTERM'))

    // The application holds the other end: the text is complete when it is gone.
    assert.match(await text(shell.stdout), /leaving\n$/)
  })
})

describe('npm test', () => {
  const files = {
    'test/core/good.test.ts': `import { it } from 'node:test'\n\nit('passes', (): void => {})\n`,
    'test/core/bad.test.ts': `import { it } from 'node:test'\n\nit('fails', () => {\n  throw new Error('no')\n})\n`,
    'starter/test/path.test.ts': `import { it } from 'node:test'\n\nit(process.env['SALLYPORT_CHROMIUM'] ?? '', () => {})\n`,
  }

  it('runs the files whose path has the word, and nothing else', async (t) => {
    const { stdout, code } = await finish(run(t, checkout(t, files), ['scripts/test.mjs', 'good']))

    assert.match(stdout, /✔ passes/)
    assert.match(stdout, /\ntests: 1 passed, 0 failed, 0 skipped\n$/)
    assert.doesNotMatch(stdout, /format|lint|types/)
    assert.equal(code, 0)
  })

  it('fails when a test fails, with its place and its error', async (t) => {
    const { stdout, code } = await finish(
      run(t, checkout(t, files), ['scripts/test.mjs', 'bad', '--test-name-pattern=fails']),
    )

    assert.match(stdout, /✖ fails\n {2}test\/core\/bad\.test\.ts:3\n {4}Error: no/)
    assert.match(stdout, /\ntests: 0 passed, 1 failed, 0 skipped\n$/)
    assert.equal(code, 1)
  })

  it('fails when a hook or a process fails outside of any test', async (t) => {
    const folder = checkout(t, {
      'test/core/hook.test.ts': `
        import { before, describe, it } from 'node:test'
        describe('a suite', () => {
          before(() => { throw new Error('no fixture') })
          it('runs', () => {})
        })`,
      'test/core/exit.test.ts': `
        import { it } from 'node:test'
        it('ends the process', async () => {
          await new Promise((resolve) => setTimeout(resolve, 200))
          process.exit(3)
        })`,
    })

    const { stdout, code } = await finish(run(t, folder, ['scripts/test.mjs', 'test/core']))

    assert.match(stdout, /no fixture/)
    assert.match(stdout, /✖ ended with 3\n {2}test\/core\/exit\.test\.ts\n {4}Running: "ends the process"/)
    assert.equal(code, 1)
  })

  it('names the test that fails after its end', async (t) => {
    const folder = checkout(t, {
      'test/core/late.test.ts': `
        import { it } from 'node:test'
        it('leaves a timer', () => {
          setTimeout(() => { throw new Error('too late') }, 10)
        })`,
    })

    const { stdout, code } = await finish(run(t, folder, ['scripts/test.mjs', 'late']))

    assert.match(stdout, /✖ fails after its end: leaves a timer\n {2}\S*late\.test\.ts:3\n[^\n]*too late/)
    assert.equal(code, 1)
  })

  it('fails when something ends the process, or switches other files off, though the rest passes', async (t) => {
    const { 'test/core/good.test.ts': good } = files
    const folder = checkout(t, {
      'test/core/a.test.ts': `import { it } from 'node:test'\nit('leaves', () => void process.exit(0))\n`,
      'test/core/good.test.ts': good,
      'test/attacks/only.test.ts': `import { it } from 'node:test'\nit('alone', { ${'only'}: true }, () => {})\n`,
      'test/attacks/off.test.ts': good,
    })

    const { stdout, code } = await finish(
      run(t, folder, ['scripts/test.mjs', '--all', 'framework', 'attacks']),
    )

    assert.match(
      stdout,
      /✖ ended before its last test\n {2}2 files\n[^\n]*process\.exit\(\)\n {4}test\/core\/a\.test\.ts/,
    )
    assert.match(stdout, /✖ has a test marked "only"\n {2}test\/attacks\/only\.test\.ts/)
    assert.equal(code, 1)
  })

  it('passes over files without a test of the name that is wanted, and fails when none has it', async (t) => {
    const { 'test/core/good.test.ts': good } = files
    const folder = checkout(t, {
      'test/core/good.test.ts': good,
      'test/core/other.test.ts': good.replace('passes', 'is other'),
    })

    const one = await finish(run(t, folder, ['scripts/test.mjs', 'core', '--test-name-pattern=other']))
    const none = await finish(run(t, folder, ['scripts/test.mjs', 'core', '--test-name-pattern=absent']))

    assert.match(one.stdout, /\ntests: 1 passed, 0 failed, 0 skipped\n$/)
    assert.equal(one.code, 0)
    assert.match(none.stdout, /^failed: no test has such a name$/m)
    assert.equal(none.code, 1)
  })

  it('fails for a file without a test, a word without a file, an unknown option, and a lone "only"', async (t) => {
    const { 'test/core/good.test.ts': good } = files
    const folder = checkout(t, {
      'test/core/good.test.ts': good,
      'test/core/empty.test.ts': 'export {}\n',
      'test/core/lone.test.ts': `import { it } from 'node:test'\nit['only']('alone', () => {})\nit('off', () => {})\n`,
    })

    for (const [words, said] of [
      [['empty'], /✖ has no test\n {2}\S*empty\.test\.ts/],
      [['good', 'absent'], /No test file has "absent" in its path/],
      [['--help'], /Cannot run the tests with --help: words choose/],
      [['lone'], /✖ has a test marked "only"/],
    ] as const) {
      const { stdout, stderr, code } = await finish(run(t, folder, ['scripts/test.mjs', ...words]))

      assert.match(stdout + stderr, said)
      assert.equal(code, 1, words.join())
    }
  })

  it('ends on a signal, without running further tests', async (t) => {
    const { 'test/core/good.test.ts': good } = files
    const hanging = `
      import { writeFileSync } from 'node:fs'
      import { it } from 'node:test'
      it('hangs', async () => {
        writeFileSync('begun', '')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`
    const folder = checkout(t, {
      'test/reliability/good.time.test.ts': good,
      'test/core/hanging.test.ts': hanging,
    })
    const child = run(t, folder, ['scripts/test.mjs', 'test/'])
    const end = finish(child)
    while (!existsSync(join(folder, 'begun'))) await pause(20)
    child.kill('SIGTERM')

    const { stdout, code } = await end

    assert.doesNotMatch(stdout, /passes/)
    assert.match(stdout, /^stopped: 2 of 2 processes did not end$/m)
    assert.equal(code, 1)
  })

  it('ends a process that does nothing any more, names what it waits in, and runs the next', async (t) => {
    const { 'test/core/good.test.ts': good } = files
    const folder = checkout(t, {
      'test/core/a.test.ts': `
        import { createServer } from 'node:net'
        import { it } from 'node:test'
        it('leaves a server', () => void createServer().listen(0, '127.0.0.1'))`,
      'test/core/b.test.ts': `
        import { it } from 'node:test'
        it('waits for ever', async () => {
          setInterval(() => {}, 1)
          await new Promise(() => {})
        })`,
      'test/core/good.test.ts': good,
    })

    const { stdout, code } = await finish(
      run(t, folder, ['scripts/test.mjs', 'test/'], { TEST_WAITING_SECONDS: '1' }),
    )

    assert.match(
      stdout,
      /✖ hangs: no test has ended for [^\n]*without computing\n {2}test\/core\/a\.test\.ts/,
    )
    assert.match(stdout, /test\/core\/b\.test\.ts\n {4}Running: "waits for ever"/)
    assert.match(stdout, /✔ passes/)
    assert.equal(code, 1)
  })

  it('fails when no path has the word', async (t) => {
    const { stderr, code } = await finish(run(t, checkout(t, files), ['scripts/test.mjs', 'absent']))

    assert.match(stderr, /^No test file has "absent" in its path\n$/)
    assert.equal(code, 1)
  })

  it('tells the tests where the browser is', async (t) => {
    const { stdout } = await finish(run(t, checkout(t, files), ['scripts/test.mjs', 'starter/']))

    assert.ok(stdout.includes(`✔ ${process.execPath}`), stdout)
  })

  it('runs the tests even when a static step fails, ends with their sum, and fails', async (t) => {
    const { 'test/core/good.test.ts': good } = files
    const folder = checkout(t, {
      'test/core/good.test.ts': good.replace('\n\nit', '\n\n\n  it'),
      'test/reliability/slow.time.test.ts': good,
      'tsconfig.json': '{}',
    })

    const { stdout, code } = await finish(run(t, folder, ['scripts/test.mjs']))

    assert.match(stdout, /✖ format.*npm run format\n[^]*test\/core\/good\.test\.ts/)
    assert.match(stdout, /✔ framework.*1 passed/)
    assert.match(stdout, /^not run: measures \(1 file\): npm run test:all runs them$/m)
    assert.match(stdout, /^failed: .*format/m)
    assert.match(stdout, /\ntests: 1 passed, 0 failed, 0 skipped\n$/)
    assert.equal(code, 1)
  })

  it('names what a missing program skips, and fails on a CI machine', async (t) => {
    const skipped = `
      import { describe, it } from 'node:test'
      describe('a store', { skip: process.env['SALLYPORT_REDIS'] ? false : 'no Redis' }, () => { it('x', () => {}) })`
    const folder = checkout(t, { ...files, 'test/core/skipped.test.ts': skipped })
    const bare = { PATH: '', REDIS_SERVER: '' }

    const local = await finish(run(t, folder, ['scripts/test.mjs', 'skipped'], { ...bare, CI: '' }))
    const onCi = await finish(run(t, folder, ['scripts/test.mjs', 'skipped'], bare))

    assert.match(local.stdout, /^skipped: 1 test or suite of Redis \(npm run setup installs it\)$/m)
    assert.equal(local.code, 0)
    assert.match(onCi.stdout, /^failed: skipped tests$/m)
    assert.equal(onCi.code, 1)
  })
})

describe('npm run test:all', () => {
  const good = `import { it } from 'node:test'\n\nit('passes', (): void => {})\n`

  it('runs the parts that are named, in the order of the table', async (t) => {
    const folder = checkout(t, {
      'test/core/good.test.ts': good,
      'test/reliability/good.time.test.ts': good,
      'starter/test/flow/good.test.ts': good,
    })

    const { stdout, code } = await finish(
      run(t, folder, ['scripts/test.mjs', '--all', 'measures', 'framework']),
    )

    assert.match(stdout, /✔ framework [^]*✔ measures /)
    assert.match(stdout, /\ntests: 2 passed, 0 failed, 0 skipped\n$/)
    assert.equal(code, 0)
  })

  it('says which parts there are when one is unknown', async (t) => {
    const { stderr, code } = await finish(run(t, checkout(t, {}), ['scripts/test.mjs', '--all', 'brwoser']))

    assert.match(stderr, /^No part is called "brwoser": there are static, .*browser.*\n$/)
    assert.equal(code, 1)
  })
})

describe('the parts of the tests', () => {
  const files = findTestFiles(root)

  it('are for all test files, and each has some', () => {
    const used = new Set(files.map((file) => partOf(file).name))

    assert.deepEqual(
      parts.map(({ name }) => name).filter((name) => !used.has(name)),
      [],
    )
  })

  it('deal all files out among their processes, none twice', () => {
    for (const size of [1, 7, 1000]) {
      const chunks = chunksOf(files, size)

      assert.deepEqual(chunks.flat().toSorted(), files)
      assert.ok(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size))
    }
  })
})
