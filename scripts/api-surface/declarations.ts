/**
 * The declarations of the package, as the compiler writes them for publication.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An entry of the package. */
export interface Entry {
  /** Specifier to import: `sallyport/auth`. */
  readonly specifier: string
  /** Its declaration file, below `dist`: `auth/index.d.ts`. */
  readonly file: string
}

/**
 * Reads the entries of the package.
 *
 * @param root The checkout.
 * @returns Entries with types, in the order of package.json.
 * @throws {TypeError} If package.json has no entries.
 */
export function readEntries(root: string): Entry[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (!hasExports(manifest)) throw new TypeError('Cannot read the exports of package.json')
  return Object.entries(manifest.exports).flatMap(([path, conditions]) =>
    typeof conditions === 'object' && 'types' in conditions
      ? [
          {
            specifier: path.replace('.', 'sallyport'),
            file: String(conditions.types).replace('./dist/', ''),
          },
        ]
      : [],
  )
}

/**
 * Makes the compiler write the declarations, without `@internal` members.
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
