/**
 * `npm run conformance`: which clauses of the specification the tests prove. Options: see conformance/main.ts.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { programs, findProgram } from './lib/programs.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = prepare()
const env = { ...process.env }
for (const program of programs)
  env[program.exported] ??= process.env[program.variable] ?? findProgram(program, env) ?? ''

const main = join(root, 'scripts', 'conformance', 'main.ts')
const run = spawnSync(node, ['--conditions=source', main, ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exitCode = run.status ?? 1
