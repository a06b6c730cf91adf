/**
 * `npm start`: runs the reference application from its sources.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const main = join(root, 'starter', 'main.ts')
const args = ['--conditions=sallyport-source', main, ...process.argv.slice(2)]

endLike(await runForeground(await prepare(), args, { cwd: root, stdio: 'inherit' }))
