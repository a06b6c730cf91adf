/**
 * `npm run bench`: Sallyport compared with its peers; `npm run bench -- pages`, `-- sign-in` and `-- scale`: the starter.
 * Options: see bench/README.md.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { findProgram, programs } from './lib/programs.mjs'
import { installPackages, prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
// The peers have their own lockfile, which nothing else needs.
await installPackages(join(root, 'bench'))

const [subject, ...others] = process.argv.slice(2)
const isOwn = ['pages', 'sign-in', 'scale'].includes(subject)
const [program, options] = isOwn ? [`${subject}.ts`, others] : ['run.ts', process.argv.slice(2)]
const args = ['--conditions=sallyport-source', join(root, 'bench', program), ...options]
const env = { ...process.env }
for (const wanted of programs)
  env[wanted.exported] ??= process.env[wanted.variable] ?? findProgram(wanted, env) ?? ''

endLike(await runForeground(node, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))
