/**
 * `npm run bench`: Sallyport beside its peers. Options: see bench/README.md.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { installPackages, prepare, root } from './lib/toolchain.mjs'

const node = prepare()
// The peers have a lockfile of their own: nobody else needs them.
installPackages(join(root, 'bench'))

const args = ['--conditions=sallyport-source', join(root, 'bench', 'run.ts'), ...process.argv.slice(2)]

endLike(await runForeground(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }))
