/**
 * Before npm packs it: compiles the program, and copies the starter. npm leaves out a file called `.gitignore`, so it is
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

rmSync(join(target, 'kit'), { recursive: true, force: true })
rmSync(join(target, 'dist'), { recursive: true, force: true })
const tracked = execFileSync('git', ['ls-files', '-z', 'starter'], { cwd: root, encoding: 'utf8' })
for (const path of tracked.split('\0').filter((each) => each !== '')) {
  const own = path.slice('starter/'.length)
  const copy = join(target, 'kit', own === '.gitignore' ? 'gitignore' : own)
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(join(root, path), copy)
}
const compiler = join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', here, '--outDir', join(target, 'dist')], { stdio: 'inherit' })
