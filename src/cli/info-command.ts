import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { release } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../app/index.ts'
import { PasswordHasher } from '../auth/index.ts'
import { inOneLine } from '../core/internal.ts'
import { SessionStore } from '../session/index.ts'
import type { Terminal } from './terminal.ts'
import { textTable } from './text-table.ts'

// Packages that applications install by themselves.
const PACKAGES = [
  'sallyport-app',
  'edge.js',
  'pg',
  'redis',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@opentelemetry/api',
  'typescript',
]

/** What a report of a fault needs, and nothing secret: no variable, address, key or path of the machine. */
interface Information {
  readonly sallyport: string
  readonly node: string
  readonly system: string
  /** Whether the application boots. */
  readonly boots: boolean
  /** How many routes it lists. */
  readonly routes: number | null
  /** Name of the class that keeps its sessions. */
  readonly sessionStore: string | null
  /** Algorithm and cost of its password hashes. */
  readonly passwordHash: string | null
  /** Installed versions. */
  readonly packages: Readonly<Record<string, string>>
  /** Version and parts of the kit that a project was made from. */
  readonly kit: { readonly version: string; readonly parts: readonly string[] } | null
}

/**
 * Describes an application and what it runs on, for reports of faults.
 *
 * @param app The application; null if it does not boot.
 * @param asked `directory`: the current one; `json`: machine-readable output.
 * @param terminal Where to write.
 */
export async function printInformation(
  app: App | null,
  { directory, json }: { readonly directory: string; readonly json: boolean },
  terminal: Terminal,
): Promise<void> {
  const information = await informationOf(app, directory)
  if (json) return terminal.printJson(information)
  const { packages, kit, ...others } = information
  const values: Readonly<Record<string, string | number | boolean | null>> = {
    ...others,
    packages: Object.entries(packages)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    kit: kit === null ? null : `${kit.version}: ${kit.parts.join(', ')}`,
  }
  const rows = Object.entries(values).map(([name, value]) => [name, inOneLine(String(value ?? '–'))])
  for (const line of textTable(['WHAT', 'VALUE'], rows)) terminal.print(line)
}

async function informationOf(app: App | null, directory: string): Promise<Information> {
  const own = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(own, 'utf8')) as { readonly version: string }
  return {
    sallyport: version,
    node: process.versions.node,
    system: `${process.platform} ${process.arch} ${release()}`,
    boots: app !== null,
    routes: app === null ? null : (await app.inspection()).routes().length,
    sessionStore: app === null ? null : sessionStoreOf(app),
    passwordHash: app === null ? null : await passwordHashOf(app),
    packages: packagesOf(directory),
    kit: kitOf(directory),
  }
}

function sessionStoreOf(app: App): string | null {
  try {
    return app.get(SessionStore).constructor.name
  } catch {
    return null
  }
}

// What a hash begins with says which code made it and at which cost. The rest of it, salt and digest, is left out.
async function passwordHashOf(app: App): Promise<string | null> {
  try {
    const hash = await app.get(PasswordHasher).hash('information')
    const [beginning = null] = /^\$argon2\w+\$v=\d+\$[\w=,]+|^\$2\w\$\d+/.exec(hash) ?? []
    return beginning
  } catch {
    return null
  }
}

function packagesOf(directory: string): Readonly<Record<string, string>> {
  const base = pathToFileURL(join(directory, 'package.json'))
  const found = PACKAGES.flatMap((name) => {
    const version = versionOf(name, base)
    return version === null ? [] : [[name, version] as const]
  })
  return Object.fromEntries(found)
}

function versionOf(name: string, base: URL): string | null {
  try {
    const manifest = findPackageJSON(name, base)
    if (manifest === undefined) return null
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version
  } catch {
    // It is not installed.
    return null
  }
}

function kitOf(directory: string): Information['kit'] {
  for (let folder = directory; ; folder = dirname(folder)) {
    const lock = readLock(folder)
    if (lock !== null || dirname(folder) === folder) return lock
  }
}

function readLock(folder: string): Information['kit'] {
  try {
    const { version, parts } = JSON.parse(readFileSync(join(folder, 'sallyport.lock.json'), 'utf8')) as {
      readonly version: string
      readonly parts: readonly string[]
    }
    return { version, parts }
  } catch {
    return null
  }
}
