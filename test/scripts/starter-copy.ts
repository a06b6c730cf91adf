/**
 * A project made of the starter.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { appTarball, installPackage, packPackage, succeed, TSC, unpack } from '../cli/packed-package.ts'
import { root } from './guide-code.ts'

/** Arguments of `env`: as in a shell of the reader, npm runs the Node that this test has. */
export const SHELL: readonly string[] = [
  '-u',
  'NODE_TEST_CONTEXT',
  '-u',
  'TEST_SAMPLE',
  `PATH=${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
]

/** The program that makes projects. */
export const CREATE: string = join(root, 'packages/create-sallyport/src/main.ts')

function installApp(tarball: string, project: string): readonly string[] {
  const own = join(project, 'node_modules/sallyport-app')
  unpack(appTarball(tarball), own)
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(own, 'package.json'), 'utf8'),
  ) as Partial<Manifest>
  return Object.keys(dependencies)
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/**
 * Makes a project, and installs what it names. It is removed when the process ends.
 *
 * @param words Which parts it has. Default: all of them.
 * @returns Its folder.
 */
export function copyStarter(words: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-copy-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const tarball = packPackage(folder)
  const copy = join(folder, 'my-app')
  const asked = [copy, '--framework', tarball, '--no-install', '--no-git', ...words]
  succeed(process.execPath, [CREATE, ...asked], folder)
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(copy, 'package.json'), 'utf8'),
  ) as Manifest
  const others = Object.keys({ ...dependencies, ...devDependencies })
  const ofApp = others.includes('sallyport-app') ? installApp(tarball, copy) : []
  installPackage(
    tarball,
    copy,
    [...others, ...ofApp].filter((name) => name !== 'sallyport'),
  )
  symlinkSync(TSC, join(copy, 'node_modules/.bin/tsc'))
  return copy
}
