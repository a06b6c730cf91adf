/**
 * `npm run api-surface`: writes api-surface.md and app-surface.md in test/scripts/fixture, every name that the packages export with its signature.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
const main = join(root, 'scripts', 'api-surface', 'main.ts')

endLike(await runForeground(node, [main], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }))
