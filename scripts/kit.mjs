/**
 * `npm run kit -- COMMAND --project FOLDER`: what `npx sallyport-kit` does, with the kit and the framework of this checkout.
 *
 * @module
 */
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
const main = join(root, 'packages/create-sallyport/src/kit/main.ts')
const asked = process.argv.slice(2)
const words = asked.includes('upgrade') ? ['--framework', root, ...asked] : asked
// npm runs this in the root of the checkout: a folder is relative to where the command was typed.
const cwd = process.env['INIT_CWD'] ?? process.cwd()
endLike(await runForeground(node, [main, ...words], { cwd, stdio: 'inherit' }))
