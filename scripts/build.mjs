/**
 * Builds the package: `npm run build`. A path after it builds into another folder than `dist`.
 *
 * @module
 */
import { resolve } from 'node:path'
import { buildPackage } from './lib/package-build.mjs'
import { root } from './lib/toolchain.mjs'

await buildPackage(resolve(root, process.argv[2] ?? 'dist'))
