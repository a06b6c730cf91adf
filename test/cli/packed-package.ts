/**
 * The package as it is published, and an application that has installed it.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
// What the packed file is made of.
const INGREDIENTS = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
  'scripts/lib/package-build.mjs',
  'packages/sallyport-app/package.json',
  'packages/sallyport-app/README.md',
  'packages/sallyport-app/src',
]

/** The compiler. */
export const TSC: string = join(ROOT, 'node_modules/typescript/bin/tsc')

// npm is to look for nothing, not for a newer npm either.
const OFFLINE = { npm_config_offline: 'true', npm_config_update_notifier: 'false' }

/** What tests read of the package.json of the installed package. */
export interface Manifest {
  readonly version: string
  readonly bin: { readonly sallyport: string }
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Runs a program to its end; its errors are in the output when it fails. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
): { readonly code: number | null; readonly out: string } {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    NODE_OPTIONS: '',
    COLUMNS: '',
    ...OFFLINE,
  }
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
  })
  if (error !== undefined) throw error
  return { code: status, out: `${stdout}${status === 0 ? '' : stderr}` }
}

/** Runs a program that must succeed, and gives its output. */
export function succeed(program: string, args: readonly string[], cwd: string): string {
  const { code, out } = run(program, args, cwd)
  assert.equal(code, 0, out)
  return out
}

/**
 * Builds and packs the packages as they are published. Gives the path of the tarball of the framework; that of `sallyport-app` is beside
 * it.
 */
export function packPackage(folder: string): string {
  const kept = join(ROOT, '.tmp/packed', digestOf(INGREDIENTS))
  // Test files of one run share it. The folder appears at once, so that no other process reads half of it.
  if (!existsSync(kept)) {
    const built = `${kept}-${process.pid}`
    succeed(process.execPath, [join(ROOT, 'scripts/pack.mjs'), built], ROOT)
    if (existsSync(kept)) rmSync(built, { recursive: true })
    else renameSync(built, kept)
  }
  for (const tarball of readdirSync(kept)) cpSync(join(kept, tarball), join(folder, tarball))
  return join(folder, readdirSync(kept).find((name) => /^sallyport-\d/.test(name)) ?? '')
}

function digestOf(names: readonly string[]): string {
  const sum = createHash('sha256')
  const paths = names.flatMap((name) =>
    statSync(join(ROOT, name)).isDirectory()
      ? readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path))
      : [name],
  )
  for (const path of paths.toSorted())
    if (statSync(join(ROOT, path)).isFile()) sum.update(`${path}\0`).update(readFileSync(join(ROOT, path)))
  return sum.digest('hex').slice(0, 16)
}

/** @returns Path of the tarball of `sallyport-app` beside that of the framework. */
export function appTarball(tarball: string): string {
  return tarball.replace(/sallyport-(?=[^/]*$)/, 'sallyport-app-')
}

/** Unpacks a tarball where a package is installed. */
export function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  succeed('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder], folder)
}

/** Installs the tarball as npm does, with its dependencies, which are here already, and the packages named. */
export function installPackage(
  tarball: string,
  application: string,
  others: readonly string[] = [],
): Manifest {
  const own = join(application, 'node_modules/sallyport')
  unpack(tarball, own)
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Manifest
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  for (const name of [...names, ...others, '@types/node', '@types/pg', 'undici-types']) {
    const link = join(application, 'node_modules', name)
    if (existsSync(link) || !existsSync(join(ROOT, 'node_modules', name))) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
  const bin = join(application, 'node_modules/.bin')
  mkdirSync(bin)
  symlinkSync(join('..', 'sallyport', manifest.bin.sallyport), join(bin, 'sallyport'))
  chmodSync(join(own, manifest.bin.sallyport), 0o755)
  return manifest
}
