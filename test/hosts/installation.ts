/**
 * The hosts' packages and the packed package in one folder, in which the program runs.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { packPackage, succeed } from '../cli/packed-package.ts'

/** A folder with everything that the program needs. */
export interface Installation {
  /** The folder. */
  readonly folder: string
  /** Path of a file of an installed package. */
  readonly packageFile: (name: string) => string
  /** The version of an installed package; undefined if it is not for this system. */
  readonly versionOf: (name: string) => string | undefined
}

// Test files that share a process share it.
const made = new Map<string, Installation | string>()
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Installs the packages of a lockfile, unless they are here, then packs the package and copies the programs.
 *
 * @param programFolders Folders of programs, beside this file. The last one has the lockfile. Default: `program`.
 * @returns The installation, or why there is none: in one line.
 */
export function installHosts(programFolders: readonly string[] = ['program']): Installation | string {
  const folders = programFolders.map((name) => join(import.meta.dirname, name))
  const lockfile = readFileSync(join(folders.at(-1) ?? '', 'package-lock.json'))
  const key = createHash('sha256').update(lockfile).digest('hex').slice(0, 12)
  const installation = made.get(key) ?? install(folders, key)
  made.set(key, installation)
  return installation
}

function install(folders: readonly string[], key: string): Installation | string {
  // Below the root, so that the package finds its own dependencies.
  const folder = join(ROOT, '.tmp', 'hosts', key)
  mkdirSync(folder, { recursive: true })
  for (const programs of folders) cpSync(programs, folder, { recursive: true })
  const packages = join(folder, 'node_modules')
  if (!existsSync(join(packages, '.package-lock.json'))) {
    const { error, status, stderr } = spawnSync('npm', ['ci'], { cwd: folder, encoding: 'utf8' })
    if (error !== undefined) return `npm cannot be started: ${error.message}`
    if (status !== 0)
      return `npm ci failed: ${stderr.split('\n').find((line) => line.includes('error')) ?? ''}`
  }
  installOwn(join(packages, 'sallyport'))
  const packageFile = (name: string): string => join(packages, name)
  return { folder, packageFile, versionOf: (name) => versionAt(packageFile(join(name, 'package.json'))) }
}

function installOwn(own: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'sallyport-hosts-'))
  try {
    const tarball = packPackage(scratch)
    rmSync(own, { recursive: true, force: true })
    mkdirSync(own)
    succeed('tar', ['-xzf', tarball, '--strip-components=1', '-C', own], scratch)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function versionAt(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  // Some packages of Node have a `v` before it.
  return version.replace(/^v/, '')
}
