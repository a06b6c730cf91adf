/**
 * `npm run bench`: Sallyport compared with its peers. Options: see bench/README.md.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { installPackages, prepare, root } from './lib/toolchain.mjs'

const node = prepare()
// The peers have their own lockfile, which nothing else needs.
installPackages(join(root, 'bench'))

const args = ['--conditions=sallyport-source', join(root, 'bench', 'run.ts'), ...process.argv.slice(2)]

endLike(await runForeground(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }))
