/**
 * Builds the package and packs it as it is published: `npm run pack`. A path after it is the folder for the packed file; without
 * one it is the root.
 *
 * @module
 */
import { relative, resolve } from 'node:path'
import { packPackage } from './lib/package-build.mjs'
import { root } from './lib/toolchain.mjs'

const packed = await packPackage(resolve(root, process.argv[2] ?? '.'))
process.stdout.write(`${relative(root, packed)}\n`)
