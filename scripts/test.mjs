/**
 * `npm test`: what must hold before a change goes in. Nothing is installed outside of this folder; tests whose programs
 * are missing are skipped and named (`npm run setup` installs them).
 *
 * | command | runs |
 * |---|---|
 * | `npm test` | format, lint, types, unused code, and the quick parts of the tests |
 * | `npm test -- routing login` | the test files whose path contains one of the words, and nothing else |
 * | `npm test -- auth --test-name-pattern=AUTH-05` | words that start with `--test-` go to Node's test runner |
 * | `npm run test:all` | everything |
 * | `npm run test:all -- browser stores` | some parts |
 * | `npm run test:nightly` | the same parts in their large sizes, without those that have passed already |
 *
 * The exit code is 1 if anything failed.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { locateProgram, programs } from './lib/programs.mjs'
import { fail, prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
const env = { ...process.env }
for (const program of programs) {
  const { path, problem } = locateProgram(program, process.env)
  if (problem !== undefined) fail(problem)
  if (path === undefined) delete env[program.exported]
  else env[program.exported] = path
}

const main = join(root, 'scripts', 'test', 'main.ts')
endLike(
  await runForeground(node, [main, ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
)
