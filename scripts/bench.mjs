/**
 * `npm run bench`: Sallyport compared with its peers; `npm run bench -- pages` and `-- sign-in`: the starter. Options:
 * see bench/README.md.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { installPackages, prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
// The peers have their own lockfile, which nothing else needs.
await installPackages(join(root, 'bench'))

const [subject, ...others] = process.argv.slice(2)
const isOwn = subject === 'pages' || subject === 'sign-in'
const [program, options] = isOwn ? [`${subject}.ts`, others] : ['run.ts', process.argv.slice(2)]
const args = ['--conditions=sallyport-source', join(root, 'bench', program), ...options]

endLike(await runForeground(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }))
