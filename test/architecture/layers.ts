/**
 * Which folder may know which: the table of the style guide, and the rules of importing.
 *
 * @module
 */
import {
  type Finding,
  findingAt,
  type ModuleReference,
  referencesOf,
  type SourceFile,
} from './source-file.ts'

/** What the files of each folder of `src/` may import, type imports included. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: ['core'],
  container: ['core'],
  view: ['core'],
  i18n: ['core', 'http'],
  input: ['core', 'http'],
  session: ['core', 'http'],
  // Its refusal is an HTTP exception: decisions.md, Errors.
  csrf: ['core', 'http', 'session'],
  routing: ['core', 'http', 'input'],
  // Looks at routes: below the application, whose page of a 404 explains the URL in development.
  inspection: ['core', 'routing'],
  // A full hash queue is a ServiceUnavailableException. The sessions of an account are a service over the store.
  auth: ['core', 'http', 'container', 'session', 'csrf'],
  context: ['core', 'http', 'input', 'session', 'routing', 'auth', 'csrf', 'i18n', 'container', 'view'],
  middleware: ['core', 'http', 'i18n', 'input', 'session', 'csrf', 'routing', 'auth', 'context'],
  app: [
    'core',
    'http',
    'container',
    'view',
    'i18n',
    'input',
    'session',
    'csrf',
    'routing',
    'inspection',
    'auth',
    'context',
    'middleware',
  ],
  node: ['core', 'http', 'app'],
  // Public folders and stored uploads; only here and in the adapters files are opened.
  files: ['core', 'http', 'container', 'input', 'routing', 'context', 'app'],
  // The conformance suite of storages takes whole uploads.
  testing: ['core', 'http', 'input', 'session', 'routing', 'context', 'app'],
  telemetry: ['core', 'http', 'auth', 'context', 'app'],
  cli: ['core', 'session', 'auth', 'inspection', 'app', 'node'],
}

/** Files besides each folder's `index.ts` that other folders and packages may import: they need a driver of their own. */
export const extraEntries: readonly string[] = [
  'src/session/sqlite.ts',
  'src/session/redis.ts',
  'src/session/postgres.ts',
  'src/view/edge.ts',
]

/** The same of `packages/sallyport-app`: the framework stands below all of them. */
export const appLayers: Readonly<Record<string, readonly string[]>> = {
  text: [],
  challenges: ['database'],
  clients: ['database'],
  database: [],
  webauthn: ['database'],
  audit: ['text', 'database'],
  keys: ['database'],
  parts: [],
  passwords: ['text'],
  pages: ['text', 'clients', 'audit', 'mail'],
  limits: ['text', 'clients', 'database'],
  mail: ['text', 'keys', 'database', 'audit'],
  sessions: ['clients', 'database'],
  'step-up': [],
  settings: ['text', 'clients', 'keys', 'mail'],
  boot: ['clients', 'keys', 'database', 'mail', 'settings'],
  commands: ['text', 'keys', 'audit', 'mail', 'settings', 'boot'],
  health: ['database', 'mail'],
  program: ['database', 'keys', 'passwords', 'mail', 'settings', 'boot', 'commands', 'health'],
  // Tests open databases as the application does.
  testing: ['database'],
}

// Files that load the driver of a server.
const appEntries: readonly string[] = [
  'packages/sallyport-app/src/database/postgres.ts',
  'packages/sallyport-app/src/mail/smtp.ts',
]

interface Tree {
  readonly root: string
  readonly layers: Readonly<Record<string, readonly string[]>>
  readonly extraEntries: readonly string[]
}

const ofFramework: Tree = { root: 'src', layers, extraEntries }
const ofApp: Tree = { root: 'packages/sallyport-app/src', layers: appLayers, extraEntries: appEntries }

const httpModules = ['node:http', 'node:https', 'node:http2']
const rule = 'layers'

/**
 * Checks what a file of `src/` imports.
 *
 * @param file A file of `src/`.
 * @returns What is broken.
 */
export function checkLayers(file: SourceFile): Finding[] {
  return referencesOf(file).flatMap((reference) => {
    const message =
      reference.target === undefined
        ? refusePackage(file, reference)
        : refuseFile(ofFramework, file.path, reference.target)
    return message === undefined ? [] : [findingAt(file, reference.offset, { rule, message })]
  })
}

/**
 * Checks what a file of `sallyport-app` imports: the framework by name, its own folders as the table says.
 *
 * @param file A file of its `src/`.
 * @returns What is broken.
 */
export function checkAppLayers(file: SourceFile): Finding[] {
  return referencesOf(file).flatMap(({ specifier, target, offset }) => {
    const message =
      target === undefined
        ? /^sallyport-app(\/|$)/.test(specifier) && `it imports its own files by path, not "${specifier}"`
        : refuseFile(ofApp, file.path, target)
    return message === undefined || message === false ? [] : [findingAt(file, offset, { rule, message })]
  })
}

/**
 * Checks what a file of an application imports: the framework by name, its own files, other packages.
 *
 * @param file A file of the starter or of an example.
 * @returns What is broken.
 */
export function checkApplicationImports(file: SourceFile): Finding[] {
  const folder = /^(?:starter|examples\/[^/]+)\//.exec(file.path)?.[0] ?? ''
  return referencesOf(file)
    .filter(({ target }) => target !== undefined && !target.startsWith(folder))
    .map(({ specifier, offset }) =>
      findingAt(file, offset, {
        rule,
        message: `an application imports the package by name, not "${specifier}"`,
      }),
    )
}

/**
 * Finds import cycles, those of types included.
 *
 * @param files All files of `src/`.
 * @returns One finding for each cycle, at the import that closes it.
 */
export function checkCycles(files: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const findings: Finding[] = []
  for (const file of files) visit(file, [])
  return findings

  function visit(file: SourceFile, trail: readonly string[]): void {
    if (finished.has(file.path)) return
    const path = [...trail, file.path]
    for (const { target, offset } of referencesOf(file)) {
      const imported = target === undefined ? undefined : byPath.get(target)
      if (imported === undefined) continue
      const start = path.indexOf(imported.path)
      if (start === -1) visit(imported, path)
      else {
        const message = `import cycle: ${[...path.slice(start), imported.path].join(' → ')}`
        findings.push(findingAt(file, offset, { rule: 'cycles', message }))
      }
    }
    finished.add(file.path)
  }
}

/**
 * Names the folder of `src/` that a file belongs to, whatever its sub-folder.
 *
 * @param path A file's path.
 * @returns The folder; undefined for `src/index.ts` and for files outside of `src/`.
 */
export function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\/./.exec(path)?.[1]
}

function refusePackage(file: SourceFile, { specifier }: ModuleReference): string | undefined {
  if (/^sallyport(\/|$)/.test(specifier)) return `src imports its own files by path, not "${specifier}"`
  if (httpModules.includes(specifier) && folderOf(file.path) !== 'node')
    return `only src/node knows ${specifier}`
  return undefined
}

function refuseFile(
  { root, layers: table, extraEntries: extra }: Tree,
  from: string,
  target: string,
): string | undefined {
  if (!target.startsWith(`${root}/`)) return `${root} may not import ${target}`
  const [own, other] = [from, target].map((path) => /^([^/]+)\/./.exec(path.slice(root.length + 1))?.[1])
  if (other === undefined) return `nothing in ${root} imports ${root}/index.ts`
  const index = `${root}/${other}/index.ts`
  const internal = `${root}/${other}/internal.ts`
  if (own === other) {
    const isSeam = target === index || target === internal
    return isSeam ? `a file never imports the ${target.split('/').at(-1)} of its own folder` : undefined
  }
  if (target === internal && own === undefined)
    return `an entry of the package re-exports ${index}, not ${target}`
  if (target !== index && target !== internal && !extra.includes(target))
    return `another folder is reached through ${index}, not ${target}`
  if (own === undefined || table[own]?.includes(other)) return undefined
  return `${own} may not import ${other}; it may import ${table[own]?.join(', ') || 'nothing'}`
}
