/**
 * The framework of a project: a version, or a packed file that comes with the project because it is not published. A checkout of the
 * framework is packed for that.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Files } from './files.ts'

/** What a project has of it. */
export interface Framework {
  /** What its `package.json` says. */
  readonly specifier: string
  /** The packed file. */
  readonly files: Files
}

/**
 * @param asked A version, the path of a packed file, or that of a checkout.
 * @returns What a project has of it.
 * @throws {Error} If the checkout cannot be packed.
 */
export function frameworkOf(asked: string): Framework {
  if (existsSync(join(asked, PACK))) return packed(asked)
  if (!asked.endsWith('.tgz') || !existsSync(asked)) return { specifier: asked, files: new Map() }
  const path = `vendor/${basename(asked)}`
  return { specifier: `file:${path}`, files: new Map([[path, readFileSync(asked)]]) }
}

const PACK = 'scripts/pack.mjs'

function packed(checkout: string): Framework {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pack-'))
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, PACK), folder], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the framework cannot be packed:\n${stdout}${stderr}`)
    return frameworkOf(join(folder, readdirSync(folder)[0] ?? ''))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
