/**
 * `npm run conformance`: which clauses of the specification the tests prove. Options: see conformance/main.ts.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { programs, findProgram } from './lib/programs.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = prepare()
const env = { ...process.env }
for (const program of programs)
  env[program.exported] ??= process.env[program.variable] ?? findProgram(program, env) ?? ''

const main = join(root, 'scripts', 'conformance', 'main.ts')
const args = ['--conditions=sallyport-source', main, ...process.argv.slice(2)]

endLike(await runForeground(node, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))
