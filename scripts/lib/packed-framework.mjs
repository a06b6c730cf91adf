/**
 * The framework as it would be published, for projects outside of the checkout.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root } from './toolchain.mjs'

/**
 * Packs it. Ends this process when that fails.
 *
 * @param {string} node Program of Node.
 * @returns {string} Path of the packed file, which is gone when this process ends.
 */
export function packFramework(node) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pack-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { status, stdout, stderr } = spawnSync(node, [join(root, 'scripts/pack.mjs'), folder], {
    encoding: 'utf8',
  })
  if (status !== 0) fail(`${stdout ?? ''}${stderr ?? ''}Cannot pack the framework`)
  const [name = ''] = readdirSync(folder)
  return join(folder, name)
}
