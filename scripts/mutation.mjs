/**
 * `npm run mutation -- src/routing`: how many small mistakes in the source the tests detect. Options: see
 * mutation/main.ts.
 *
 * @module
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { findProgram, programs } from './lib/programs.mjs'
import { installPackages, prepare, root } from './lib/toolchain.mjs'

const node = await prepare()

// The generator of mutants needs 78 packages with their own lockfile, which nothing else needs.
const tools = join(root, '.tmp', 'mutation')
mkdirSync(tools, { recursive: true })
for (const file of ['package.json', 'package-lock.json'])
  cpSync(join(root, 'scripts', 'mutation', file), join(tools, file))
await installPackages(tools)

const env = { ...process.env }
for (const program of programs)
  env[program.exported] ??= process.env[program.variable] ?? findProgram(program, env) ?? ''

const main = join(root, 'scripts', 'mutation', 'main.ts')
const args = ['--conditions=sallyport-source', main, ...process.argv.slice(2)]

endLike(await runForeground(node, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))
