/**
 * Before npm packs it: compiles the program, and copies the starter and the notebook. npm leaves out a file called `.gitignore`, so it is
 * called `gitignore` here.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
// Where it is packed: here, or in the folder that is named.
const target = process.argv[2] ?? here

rmSync(join(target, 'dist'), { recursive: true, force: true })
copyTracked('starter', 'kit')
copyTracked('examples/notebook', 'notebook')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', here, '--outDir', join(target, 'dist')], { stdio: 'inherit' })

/**
 * Copies what git knows of a folder.
 *
 * @param {string} folder Its path from the root.
 * @param {string} name What it is called here.
 */
function copyTracked(folder, name) {
  rmSync(join(target, name), { recursive: true, force: true })
  const tracked = execFileSync('git', ['ls-files', '-z', folder], { cwd: root, encoding: 'utf8' })
  for (const path of tracked.split('\0').filter((each) => each !== '')) {
    const own = path.slice(folder.length + 1)
    const copy = join(target, name, own === '.gitignore' ? 'gitignore' : own)
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(root, path), copy)
  }
}
