/**
 * The declarations of the packages, as they are written for publication.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isolatedDeclarationSync } from 'rolldown/experimental'

/** The package beneath applications. */
export const APP = { name: 'sallyport-app', folder: 'packages/sallyport-app' } as const

const FRAMEWORK = { name: 'sallyport', folder: '' } as const

/** An entry of a package. */
export interface Entry {
  /** Specifier to import: `sallyport/auth`. */
  readonly specifier: string
  /** Its declaration file, below `dist`: `auth/index.d.ts`. */
  readonly file: string
}

/**
 * Reads the entries of a package.
 *
 * @param root The checkout.
 * @param of Which package. Default: the framework.
 * @returns Entries with types, in the order of package.json.
 * @throws {TypeError} If package.json has no entries.
 */
export function readEntries(root: string, of: typeof FRAMEWORK | typeof APP = FRAMEWORK): Entry[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, of.folder, 'package.json'), 'utf8'))
  if (!hasExports(manifest)) throw new TypeError('Cannot read the exports of package.json')
  return Object.entries(manifest.exports).flatMap(([path, conditions]) =>
    typeof conditions === 'object' && 'types' in conditions
      ? [
          {
            specifier: path.replace('.', of.name),
            file: String(conditions.types).replace('./dist/', ''),
          },
        ]
      : [],
  )
}

/**
 * Writes the declarations of `sallyport-app` file by file: it need not be built, and neither need the framework.
 *
 * @param root The checkout.
 * @returns Content by file, with names relative to `dist`.
 */
export function readAppDeclarations(root: string): Map<string, string> {
  const sources = join(root, APP.folder, 'src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  return new Map(
    files.map((name) => {
      const path = join(sources, name)
      const { code } = isolatedDeclarationSync(path, readFileSync(path, 'utf8'), { stripInternal: true })
      return [name.replaceAll('\\', '/').replace(/\.ts$/, '.d.ts'), code.replaceAll('\t', '    ')] as const
    }),
  )
}

/**
 * Makes the compiler write the declarations of the framework, without `@internal` members.
 *
 * @param root The checkout.
 * @returns Content by file, with names relative to `dist`.
 * @throws {Error} If the sources do not compile.
 */
export function readDeclarations(root: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-declarations-'))
  try {
    emit(root, folder)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    )
    return new Map(
      files.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function emit(root: string, folder: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['--emitDeclarationOnly', '--declarationMap', 'false', '--sourceMap', 'false']
  const args = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', folder, ...options]

  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })

  if (status !== 0) throw new Error(`Cannot write the declarations: the sources do not compile\n${stdout}`)
}

function hasExports(manifest: unknown): manifest is { exports: Record<string, object | string> } {
  return typeof manifest === 'object' && manifest !== null && 'exports' in manifest
}
