/**
 * `npm run conformance`: which clauses of the specification the tests prove. It runs them as `npm run
 * test:all` does, and reports what came of it. Options: see conformance/main.ts.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
const args = process.argv.slice(2)
const isGiven = args.some((arg) => /^--(?:leaves|tests)(?:=|$)/.test(arg))

if (isGiven) endLike(await report(args))
else {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-conformance-'))
  try {
    const run = await runTests(folder)
    if (run.isInterrupted) endLike(run)
    else endLike(await report([...args, `--leaves=${folder}`, ...(run.code === 0 ? [] : ['--failed'])]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runTests(folder) {
  return runForeground(node, [join(root, 'scripts', 'test.mjs'), '--all'], {
    cwd: root,
    env: { ...process.env, TEST_LEAVES: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function report(options) {
  const main = join(root, 'scripts', 'conformance', 'main.ts')
  return runForeground(node, ['--conditions=sallyport-source', main, ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
