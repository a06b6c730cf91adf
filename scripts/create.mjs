/**
 * `npm run create -- FOLDER`: makes a project of its own from this checkout, with the framework packed as it is here.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
const main = join(root, 'packages/create-sallyport/src/main.ts')
const words = ['--framework', root, ...process.argv.slice(2)]
// npm runs this in the root of the checkout: a folder is relative to where the command was typed.
const cwd = process.env['INIT_CWD'] ?? process.cwd()
endLike(await runForeground(node, [main, ...words], { cwd, stdio: 'inherit' }))
