/**
 * `npm run bench`: Sallyport beside its peers. Options: see bench/README.md.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { installPackages, prepare, root } from './lib/toolchain.mjs'

const node = prepare()
// The peers have a lockfile of their own: nobody else needs them.
installPackages(join(root, 'bench'))

const run = spawnSync(
  node,
  ['--conditions=source', join(root, 'bench', 'run.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
process.exitCode = run.status ?? 1
