/**
 * Programs bundled from the package as it is published, and what a process loads of them until they have answered.
 *
 * @module
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'
import { build as rolldown } from 'rolldown'
import { succeed } from '../cli/packed-package.ts'

/** What is left to the machine that the program runs on. */
export const HASHERS: readonly string[] = ['@node-rs/argon2', '@node-rs/bcrypt', '@noble/hashes', 'bcryptjs']

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

// Tells which files are loaded, in the order of loading.
const LISTENER = `import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
process.on('exit', () => console.log(JSON.stringify(loaded)))
`

/** What a bundler makes of a program. */
export type Bundler = (entry: string, folder: string) => Promise<void>

/** Bundlers, with minified code and no other option than what is external. */
export const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: async (entry, outdir) => {
    await build({
      entryPoints: [entry],
      outdir,
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
      external: HASHERS.flatMap((name) => [name, `${name}/*`]),
      logLevel: 'error',
    })
  },
  rolldown: async (entry, dir) => {
    const external = (id: string): boolean => HASHERS.some((name) => id === name || id.startsWith(`${name}/`))
    const output = { dir, minify: true, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
    await rolldown({ input: entry, external, platform: 'node', output, logLevel: 'silent' })
  },
}

/**
 * A folder in which the package is installed, below the root, so that it finds its dependencies.
 *
 * @returns Its path.
 */
export function installForBundles(): string {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, '.tmp/bundles-'))
  const installed = join(folder, 'node_modules/sallyport')
  mkdirSync(installed, { recursive: true })
  // Of another name: within a package, its name leads to its own files.
  writeFileSync(join(folder, 'package.json'), '{ "name": "bundles", "type": "module" }')
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'))
  succeed(process.execPath, [join(ROOT, 'scripts/build.mjs'), join(installed, 'dist')], ROOT)
  return folder
}

/**
 * Runs a program as it is, beside the installed package.
 *
 * @param folder Folder of {@link installForBundles}.
 * @param program The program.
 * @returns What it has printed.
 */
export function runInstalled(folder: string, program: string): string {
  const scratch = mkdtempSync(join(folder, 'program-'))
  try {
    writeFileSync(join(scratch, 'entry.mjs'), program)
    return succeed('env', ['NODE_ENV=production', process.execPath, 'entry.mjs'], scratch).trim()
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** What a process has loaded, and what the program has printed. */
export interface Loaded {
  /** Its code, file by file. */
  readonly code: string
  /** Bytes of it, compressed. */
  readonly bytes: number
  /** What is in the bundle, and nothing has asked for. */
  readonly left: string
  /** What the program has printed. */
  readonly printed: string
}

/**
 * Bundles a program, and runs it in production.
 *
 * @param folder Folder of {@link installForBundles}.
 * @param name Name of the bundler.
 * @param program The program.
 * @returns What it has loaded of its bundle, and printed.
 */
export async function runBundle(folder: string, name: string, program: string): Promise<Loaded> {
  const scratch = mkdtempSync(join(folder, 'program-'))
  try {
    const [entry, listener, out] = ['entry.mjs', 'listener.mjs', 'out'].map((each) => join(scratch, each))
    writeFileSync(entry ?? '', program)
    writeFileSync(listener ?? '', LISTENER)
    await bundlers[name]?.(entry ?? '', out ?? '')
    const args = ['--import', listener ?? '', join(out ?? '', 'entry.mjs')]
    const lines = succeed('env', ['NODE_ENV=production', process.execPath, ...args], scratch)
      .trim()
      .split('\n')
    const urls = JSON.parse(lines.pop() ?? '') as readonly string[]
    const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
    const made = readdirSync(out ?? '').map((file) => join(out ?? '', file))
    const textOf = (wanted: readonly string[]): string =>
      wanted.map((file) => readFileSync(file, 'utf8')).join('\n')
    const code = textOf(made.filter((file) => files.includes(file)))
    const left = textOf(made.filter((file) => !files.includes(file)))
    return { code, left, bytes: gzipSync(code, { level: 9 }).byteLength, printed: lines.join('\n') }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
