/**
 * Builds the framework and `sallyport-app`, and packs them as they are published: `npm run pack`. A path after it is the folder for the
 * packed files; without one it is the root.
 *
 * @module
 */
import { relative, resolve } from 'node:path'
import { APP, FRAMEWORK, packPackage } from './lib/package-build.mjs'
import { root } from './lib/toolchain.mjs'

for (const each of [FRAMEWORK, APP]) {
  const packed = await packPackage(each, resolve(root, process.argv[2] ?? '.'))
  process.stdout.write(`${relative(root, packed)}\n`)
}
