/**
 * The files of the checkout that the rules are asked about.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

import { parseSource, type SourceFile } from './source-file.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Parses the TypeScript files below a folder.
 *
 * @param folder From the root of the checkout.
 * @returns The files, ordered by path; none when there is no such folder.
 */
export function readFiles(folder: string): SourceFile[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/'))
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')))
}

/**
 * Reads which files a package exports.
 *
 * @param folder Its folder, from the root of the checkout. Default: that of the framework.
 * @returns Their paths, from there.
 */
export function readEntries(folder = ''): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  if (!hasExports(manifest)) throw new TypeError('Cannot read the exports of package.json')
  return Object.values(manifest.exports).flatMap((conditions) =>
    typeof conditions === 'object' && 'sallyport-source' in conditions
      ? [posix.join(folder, String(conditions['sallyport-source']))]
      : [],
  )
}

function hasExports(manifest: unknown): manifest is { exports: Record<string, object | string> } {
  return typeof manifest === 'object' && manifest !== null && 'exports' in manifest
}
