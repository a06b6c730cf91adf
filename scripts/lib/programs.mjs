/**
 * Programs that some tests need and npm does not install: a browser, database servers. Each has a description; finding
 * and installing them is the same for all.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'

/**
 * @typedef {object} Program
 * @property {string} name For messages.
 * @property {string} variable Environment variable in which a user can give another path.
 * @property {string} exported Environment variable in which tests find the path; absent when there is none.
 * @property {string[]} commands Names to look up in PATH, or absolute paths, best first. A `*` in an absolute path is
 *   one folder of any name, the highest version first, as PostgreSQL's `bin` folders need it.
 * @property {string} debianPackage Debian package that contains it.
 */

/** @type {Program[]} */
export const programs = [
  {
    name: 'Chromium',
    variable: 'CHROMIUM',
    exported: 'SALLYPORT_CHROMIUM',
    commands: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    debianPackage: 'chromium',
  },
  {
    name: 'Redis',
    variable: 'REDIS_SERVER',
    exported: 'SALLYPORT_REDIS',
    commands: ['redis-server', 'valkey-server'],
    debianPackage: 'redis-server',
  },
  {
    name: 'Valkey',
    variable: 'VALKEY_SERVER',
    exported: 'SALLYPORT_VALKEY',
    commands: ['valkey-server'],
    debianPackage: 'valkey-server',
  },
  {
    name: 'PostgreSQL',
    variable: 'POSTGRES_SERVER',
    exported: 'SALLYPORT_POSTGRES',
    // Debian keeps it out of PATH. `initdb` is in the same folder.
    commands: ['/usr/lib/postgresql/*/bin/postgres', 'postgres', '/Library/PostgreSQL/*/bin/postgres'],
    debianPackage: 'postgresql',
  },
]

/**
 * Finds a program for the tests. Nothing is installed.
 *
 * @param {Program} program
 * @param {Record<string, string | undefined>} env Environment to read.
 * @returns {{ path?: string, problem?: string }} Its path, or a wrong setting; neither when it is not installed.
 */
export function locateProgram(program, env) {
  const named = env[program.variable]
  if (named && !isExecutable(named))
    return { problem: `${program.variable}=${named} is not an executable file` }
  const path = named || findProgram(program, env)
  return path === undefined ? {} : { path }
}

/**
 * Installs Debian's package of a program.
 *
 * @param {Program} program
 * @param {string[]} command Of {@link aptGetCommand}.
 * @returns {{ path?: string, problem: string }} Where the program is, or what apt-get said.
 */
export function installProgram(program, command) {
  const problem = installDebianPackage(program.debianPackage, command)
  const path = findProgram(program, process.env)
  return path === undefined ? { problem } : { path, problem }
}

/**
 * Looks for a program without installing anything.
 *
 * @param {Pick<Program, 'commands'>} program
 * @param {Record<string, string | undefined>} env Its PATH is searched.
 * @returns {string | undefined} Absolute path.
 */
export function findProgram(program, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const command of program.commands) {
    const candidates = isAbsolute(command) ? expand(command) : folders.map((folder) => join(folder, command))
    const path = candidates.find(isExecutable)
    if (path !== undefined) return path
  }
  return undefined
}

function expand(pattern) {
  const star = pattern.indexOf('*')
  if (star === -1) return [pattern]
  const parent = dirname(pattern.slice(0, star + 1))
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory()) return []
  const byVersion = new Intl.Collator('en', { numeric: true })
  return readdirSync(parent)
    .sort((a, b) => byVersion.compare(b, a))
    .map((name) => parent + '/' + name + pattern.slice(star + 1))
}

function isExecutable(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Finds out how packages can be installed: on Debian and systems like it, as root or by sudo.
 *
 * @param {Record<string, string | undefined>} env Its PATH is searched for sudo.
 * @returns {string[] | undefined} The words before the arguments of apt-get; undefined where there is no way.
 */
export function aptGetCommand(env) {
  if (!statSync('/etc/os-release', { throwIfNoEntry: false })) return undefined
  if (!/^ID(?:_LIKE)?=.*\bdebian\b/m.test(readFileSync('/etc/os-release', 'utf8'))) return undefined
  // sudo passes no environment on.
  const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  if (process.getuid?.() === 0) return command
  return findProgram({ commands: ['sudo'] }, env) === undefined ? undefined : ['sudo', ...command]
}

function installDebianPackage(name, command) {
  const { failed, output } = aptGet(command, ['update'], ['install', '-y', '--no-install-recommends', name])
  if (!failed) return output
  const backports = installFromBackports(name, command)
  return `${output}\n${backports}`.trimEnd()
}

/** Debian's release of the machine may be older than the program. Its sources are not changed. */
function installFromBackports(name, command) {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  const format = ['indextargets', '--format', '$(SITE) $(CODENAME)', 'Created-By: Packages']
  const targets = spawnSync('apt-get', format, { encoding: 'utf8' }).stdout ?? ''
  const site = targets
    .split('\n')
    .find((line) => line.endsWith(` ${release}`))
    ?.split(' ')[0]
  if (release === undefined || site === undefined) return ''
  const suite = `${release}-backports`
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-apt-'))
  const list = join(folder, 'sources.list')
  const present = statSync('/etc/apt/sources.list', { throwIfNoEntry: false })
    ? readFileSync('/etc/apt/sources.list', 'utf8')
    : ''
  writeFileSync(list, `${present}\ndeb ${site} ${suite} main\n`)
  chmodSync(folder, 0o755)
  const option = ['-o', `Dir::Etc::SourceList=${list}`]
  const install = ['install', '-y', '--no-install-recommends', '-t', suite, name]
  const { output } = aptGet(command, [...option, 'update'], [...option, ...install])
  rmSync(folder, { recursive: true, force: true })
  return output
}

function aptGet([program, ...words], ...commands) {
  let output = ''
  let failed = false
  for (const args of commands) {
    const run = spawnSync(program, [...words, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 600_000,
    })
    failed = run.status !== 0
    output += `${run.stdout ?? ''}${run.stderr ?? ''}`
    if (run.error !== undefined) output += `apt-get: ${run.error.message}\n`
  }
  return { failed, output: output.trimEnd() }
}
