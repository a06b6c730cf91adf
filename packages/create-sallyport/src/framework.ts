/**
 * The packages of the framework: versions, or packed files that come with the project because they are not published. A checkout of the
 * framework is packed for that.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Files } from './files.ts'

/** What a project has of it. */
export interface Framework {
  /** What its `package.json` says of `sallyport`; of `sallyport-app` it says {@link appSpecifier}. */
  readonly specifier: string
  /** The packed files. */
  readonly files: Files
}

/**
 * @param asked A version, the path of a packed file, or that of a checkout.
 * @param packages What the project uses. Beside a packed file, that of `sallyport-app` lies in the same folder.
 * @returns What a project has of it.
 * @throws {Error} If the checkout cannot be packed, or a packed file is missing.
 */
export function frameworkOf(asked: string, packages: Packages = 'all'): Framework {
  if (existsSync(join(asked, PACK))) return packed(asked, packages)
  if (!asked.endsWith('.tgz') || !existsSync(asked)) return { specifier: asked, files: new Map() }
  const paths = packages === 'framework' ? [asked] : [asked, join(dirname(asked), appFile(basename(asked)))]
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined)
    throw new Error(`there is no ${missing}: in a checkout, "npm run pack" makes both packed files`)
  const files = paths.map((path) => [`${VENDOR}/${basename(path)}`, readFileSync(path)] as const)
  return { specifier: `file:${VENDOR}/${basename(asked)}`, files: new Map(files) }
}

/** Which packages of the framework a project uses: `framework` is that one alone. */
export type Packages = 'all' | 'framework'

/**
 * @param framework What a `package.json` says of `sallyport`.
 * @returns What it says of `sallyport-app`: both have the same version.
 */
export function appSpecifier(framework: string): string {
  return framework.startsWith('file:') ? appFile(framework) : framework
}

const PACK = 'scripts/pack.mjs'
const VENDOR = 'vendor'

function appFile(path: string): string {
  return path.replace(/(?<=^|[/:])sallyport-(?=[^/]*$)/, 'sallyport-app-')
}

function packed(checkout: string, packages: Packages): Framework {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pack-'))
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, PACK), folder], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the framework cannot be packed:\n${stdout}${stderr}`)
    const file = readdirSync(folder).find((name) => /^sallyport-\d.*\.tgz$/.test(name)) ?? ''
    return frameworkOf(join(folder, file), packages)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
