/**
 * What every script needs first: the packages of the lockfile, and a Node to run TypeScript with.
 *
 * Plain JavaScript for Node 20, because in a fresh clone the machine's own Node runs it before Node 24 is installed.
 *
 * @module
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the checkout, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')

const oldestNode = [24, 15]
const sayMilliseconds = 5000

/**
 * Installs the packages when they differ from the lockfile, and finds a Node that is new enough. Ends the process with one
 * line on stderr when either is impossible.
 *
 * @returns {Promise<string>} Path of the Node to run TypeScript with.
 */
export async function prepare() {
  await installPackages(root)
  const node = findNode()
  if (node === undefined) {
    fail(
      `Sallyport needs Node ${oldestNode.join('.')} or later: this is ${process.version} and the package "node" has no ` +
        'newer binary. Remove node_modules and run "npm ci" with install scripts allowed',
    )
  }
  return node
}

/**
 * Runs `npm ci` in a folder when its node_modules differ from its lockfile. It takes minutes on a slow machine: a line
 * every few seconds says that it goes on.
 *
 * @param {string} directory Folder with a package-lock.json.
 */
export async function installPackages(directory) {
  if (differenceFromLockfile(directory) === undefined) return

  const of = directory === root ? '' : ` of ${directory.slice(root.length + 1)}`
  const say = (text) => process.stderr.write(`installing packages${of}… ${text}\n`)
  say('this takes a minute or two the first time')
  const started = performance.now()
  const timer = setInterval(
    () => say(`${Math.round((performance.now() - started) / 1000)} s`),
    sayMilliseconds,
  )
  const { code, output } = await runNpm(directory)
  clearInterval(timer)
  if (code === 0) return

  process.stderr.write(output)
  fail(`Cannot install the packages: npm ci failed (exit code ${code})`)
}

/** Warnings are left out: npm's are about the Node that runs it, and the scripts run on the one that it installs. */
async function runNpm(directory) {
  // The Node that runs this may be in the node_modules that `npm ci` removes: npm gets the machine's own.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !/[/\\]node_modules[/\\]/.test(entry))
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawn('npm', args, {
    cwd: directory,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk))
  return await new Promise((resolve) => {
    npm.once('error', (error) => resolve({ code: error.message, output }))
    npm.once('close', (code) => resolve({ code, output }))
  })
}

/**
 * Compares a lockfile with npm's record of what is installed. Contents decide, not times: a checkout makes every file new,
 * and `npm install` writes both files in the same instant.
 *
 * @param {string} directory Folder with a package-lock.json.
 * @returns {string | undefined} The first difference; undefined when there is none.
 */
export function differenceFromLockfile(directory) {
  const wanted = readPackages(join(directory, 'package-lock.json'))
  const installed = readPackages(join(directory, 'node_modules', '.package-lock.json'))
  if (wanted === undefined) return 'no package-lock.json'
  if (installed === undefined) return 'nothing is installed'

  for (const [place, entry] of Object.entries(wanted)) {
    if (!place.startsWith('node_modules/')) continue
    const found = installed[place]
    if (found === undefined && entry.optional) continue
    if (found === undefined || found.version !== entry.version || found.integrity !== entry.integrity)
      return place
    if (!existsSync(join(directory, place))) return place
  }
  return undefined
}

/**
 * Ends the process with one line.
 *
 * @param {string} message What could not be done, and what to do about it.
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function readPackages(file) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function findNode() {
  const packaged = join(
    root,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  return [packaged, process.execPath].find((candidate) => {
    const { stdout, status } = spawnSync(candidate, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    return status === 0 && isNewEnough(stdout.trim())
  })
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
}
