/**
 * `npm run create -- FOLDER`: makes a project of its own from this checkout, with the framework packed as it is here.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { endLike, runForeground } from './lib/foreground.mjs'
import { prepare, root } from './lib/toolchain.mjs'

const node = await prepare()
const folder = mkdtempSync(join(tmpdir(), 'sallyport-pack-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

run(node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'])
const packed = run('npm', ['pack', '--silent', '--pack-destination', folder])
const main = join(root, 'packages/create-sallyport/src/main.ts')
const words = ['--framework', join(folder, packed.trim().split('\n').at(-1) ?? ''), ...process.argv.slice(2)]
// npm runs this in the root of the checkout: a folder is relative to where the command was typed.
const cwd = process.env['INIT_CWD'] ?? process.cwd()
endLike(await runForeground(node, [main, ...words], { cwd, stdio: 'inherit' }))

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
