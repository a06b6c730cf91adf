/**
 * The files of a new project: the starter without the parts that are left out, and what makes it a project of its own.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentExample } from './environment-example.ts'
import type { Files } from './files.ts'
import { isOfLanguage, languagesOf, withoutLanguages } from './languages.ts'
import { manifest } from './manifest.ts'
import { partsIn, withoutParts } from './parts-list.ts'
import { record } from './record.ts'

const TEMPLATES = fileURLToPath(new URL('../files/', import.meta.url))
// What belongs to the checkout, to its history, or is made anew below.
const LEFT_OUT = /^(?:node_modules|\.data|coverage)(?:\/|$)|^(?:README|CHANGELOG)\.md$|\.log$/
const DASHBOARD = 'docs/dashboard.json'
const PLAIN = /\.(?:ts|mjs|js|md|json|edge|css|svg|txt)$|gitignore$/

/** What a new project is. */
export interface NewProject {
  /** Name of its package. */
  readonly name: string
  /** Names of its parts. */
  readonly parts: readonly string[]
  /** Tags of its languages. */
  readonly languages: readonly string[]
  /** What its `package.json` says for the framework: a version, or `file:` and a path. */
  readonly framework: string
  /** Version of the kit. */
  readonly version: string
}

/**
 * @param kit Folder of the starter.
 * @param project What the project is.
 * @param security Ids of the security changes that are in the starter. Default: none.
 * @returns Its files, with those that record what it was made from.
 */
export function filesOf(kit: string, project: NewProject, security: readonly string[] = []): Files {
  const files = textsOf(kit, project)
  return new Map([...files, ...record(files, { ...project, security })])
}

/**
 * @param kit Folder of the starter.
 * @param project What the project is.
 * @returns The texts that the kit gives it.
 */
export function textsOf(kit: string, project: NewProject): Files {
  const files = new Map<string, string | Uint8Array>()
  const left = languagesLeftOut(kit, project)
  for (const path of pathsOf(kit)) {
    const [folder = '', part = ''] = path.split('/')
    if ((folder === 'parts' && !project.parts.includes(part)) || isOfLanguage(path, left)) continue
    const bytes = readFileSync(join(kit, path))
    const own = PLAIN.test(path) ? ownText(path, bytes, left) : bytes
    files.set(path === 'gitignore' ? '.gitignore' : path, own)
  }
  files.set('parts.ts', partsFile(kit, project.parts))
  files.set('core/brand.ts', brandFile(String(files.get('core/brand.ts')), project.name))
  files.set(DASHBOARD, dashboardFile(kit, project.name))
  files.set('package.json', manifest(kit, project, scriptsOf))
  files.set('tsconfig.json', compilerSettings(kit))
  files.set('.env.example', environmentExample(files))
  for (const [name, path] of OWN) files.set(path, withoutLanguages(template(name, project), left))
  return files
}

const OWN = [
  ['README.md', 'README.md'],
  ['AGENTS.md', 'AGENTS.md'],
  ['ci.yml', '.github/workflows/ci.yml'],
  ['Dockerfile', 'Dockerfile'],
  ['dockerignore', '.dockerignore'],
  ['compose.yaml', 'compose.yaml'],
] as const

function pathsOf(kit: string): readonly string[] {
  return readdirSync(kit, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(kit, sep).length).replaceAll(sep, '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted()
}

/**
 * @param kit Folder of the kit.
 * @param project Has some of its languages.
 * @returns Tags of the others.
 */
export function languagesLeftOut(
  kit: string,
  { languages }: { readonly languages: readonly string[] },
): readonly string[] {
  return languagesOf(kit).filter((tag) => !languages.includes(tag))
}

/**
 * @param path Path of a file of the kit.
 * @param bytes Its text there.
 * @param left Tags of the languages that the project has not.
 * @returns Its text in a project: the guides come with the package, and no condition is needed to read it.
 */
export function ownText(path: string, bytes: Uint8Array, left: readonly string[]): string {
  const text = withoutLanguages(
    new TextDecoder().decode(bytes).replaceAll(' --conditions=sallyport-source', ''),
    left,
  )
  if (!path.endsWith('.md')) return text
  const up = '../'.repeat(path.split('/').length - 1)
  return text.replaceAll(`](../${up}docs/`, `](${up}node_modules/sallyport/docs/`)
}

function partsFile(kit: string, names: readonly string[]): string {
  const text = readFileSync(join(kit, 'parts.ts'), 'utf8')
  const left = partsIn(text).filter(({ name }) => !names.includes(name))
  return withoutParts(
    text,
    left.map(({ name }) => name),
  )
}

// The package "my-app" is called "My app".
function titleOf(name: string): string {
  const [first = '', ...rest] = name.replace(/^.*\//, '').replaceAll(/[-_.]+/g, ' ')
  return first.toUpperCase() + rest.join('')
}

function brandFile(text: string, name: string): string {
  return text.replace(/^ {2}name: '.*'/m, `  name: '${titleOf(name)}'`)
}

// Grafana takes no dots and at most 40 characters as the identifier of a dashboard.
function dashboardFile(kit: string, name: string): string {
  const dashboard = JSON.parse(readFileSync(join(kit, DASHBOARD), 'utf8')) as Readonly<
    Record<string, unknown>
  >
  const uid = name.replace(/^.*\//, '').replaceAll('.', '-').slice(0, 40)
  return `${JSON.stringify({ ...dashboard, title: titleOf(name), uid }, null, 2)}\n`
}

/** The scripts of a project, which has no checkout around it. */
function scriptsOf(scripts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    dev: 'node --watch dev.mjs',
    start: 'node start.mjs',
    test: scripts['test'] ?? 'node --test',
    check: 'tsc',
    build: 'tsc && sallyport check',
    sallyport: 'sallyport',
    'ways-in': 'node test/ways-in.ts --write',
  }
}

function compilerSettings(kit: string): string {
  const settings = JSON.parse(readFileSync(join(kit, 'tsconfig.json'), 'utf8')) as {
    readonly compilerOptions: Readonly<Record<string, unknown>>
  }
  const { customConditions: _, ...compilerOptions } = settings.compilerOptions
  return `${JSON.stringify({ ...settings, compilerOptions }, null, 2)}\n`
}

/**
 * @param file Path below `files/`.
 * @param project What the project is.
 * @returns The text of that file for the project.
 */
export function template(file: string, { name, parts, framework }: NewProject): string {
  const list = parts.map((part) => `- [${part}](parts/${posix.join(part, 'README.md')})`).join('\n')
  return readFileSync(join(TEMPLATES, file), 'utf8')
    .replaceAll('{{name}}', name)
    .replaceAll('{{parts}}', list === '' ? 'None yet.' : list)
    .replaceAll('{{vendor}}', framework.startsWith('file:') ? '\nCOPY vendor ./vendor' : '')
}
