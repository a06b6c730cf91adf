/**
 * A copy of the starter, made as its README says.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installPackage, packPackage, succeed, TSC } from '../cli/packed-package.ts'
import { read, root } from './guide-code.ts'

/** Arguments of `env`: as in a shell of the reader, npm runs the Node that this test has. */
export const SHELL: readonly string[] = [
  '-u',
  'NODE_TEST_CONTEXT',
  `PATH=${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
]

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

// What the README has the reader type; the folder of the copy is the one of this test.
function commandsOf(copy: string, tarball: string): readonly string[] {
  const [, block = ''] = /```sh\n(git archive[\s\S]*?)```/.exec(read('starter/README.md')) ?? []
  const lines = block.trim().split('\n')
  return lines.map((line) =>
    line
      .replace('--prefix=my-app/ ', '')
      .replace('-C ..', `-C ${copy}`)
      .replace('../my-app', copy)
      .replace(/file:\S+\.tgz/, `file:${tarball}`),
  )
}

/** Makes a copy, with the packed framework in it. It is removed when the process ends. Gives its folder. */
export function copyStarter(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-copy-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const tarball = packPackage(folder)
  const copy = join(folder, 'my-app')
  mkdirSync(copy)
  const [archive = '', enter = '', point = '', install = ''] = commandsOf(copy, tarball)
  succeed('sh', ['-c', archive], root)
  assert.deepEqual([enter, install], [`cd ${copy}`, 'npm install'])
  succeed('sh', ['-c', point], copy)
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as Manifest
  assert.equal(manifest.dependencies['sallyport'], `file:${tarball}`)
  const others = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  installPackage(
    tarball,
    copy,
    others.filter((name) => name !== 'sallyport'),
  )
  symlinkSync(TSC, join(copy, 'node_modules/.bin/tsc'))
  return copy
}
