/**
 * Builds the framework and `sallyport-app`, each into its folder `dist`: `npm run build`. A path after it builds the framework alone,
 * into that folder.
 *
 * @module
 */
import { resolve } from 'node:path'
import { APP, buildPackage, FRAMEWORK } from './lib/package-build.mjs'
import { root } from './lib/toolchain.mjs'

const [, , target] = process.argv
if (target === undefined) for (const each of [FRAMEWORK, APP]) await buildPackage(each)
else await buildPackage(FRAMEWORK, resolve(root, target))
