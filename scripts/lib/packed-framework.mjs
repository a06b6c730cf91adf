/**
 * The framework as it would be published, for projects outside of the checkout.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './toolchain.mjs'

/**
 * Packs it. Ends this process when that fails.
 *
 * @param {string} node Program of Node.
 * @returns {string} Path of the packed file, which is gone when this process ends.
 */
export function packFramework(node) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pack-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  run(node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'])
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder])
  return join(folder, packed.trim().split('\n').at(-1) ?? '')
}

/**
 * Runs a program in the root; ends this one when it fails.
 *
 * @param {string} program Its path or name.
 * @param {string[]} args Its arguments.
 * @returns {string} What it printed.
 */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}Cannot pack the framework\n`)
  process.exit(1)
}
