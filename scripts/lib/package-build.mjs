/**
 * The package as it is published. Code and declarations that the same entries need are one chunk, so that a process that imports
 * an entry opens few files.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { directImports } from './direct-imports.mjs'
import { sentences } from './sentences.mjs'
import { root } from './toolchain.mjs'

const SOURCES = 'sallyport-source'
const PROGRAM = 'cli/main'
// Its path is an import of package.json.
const SENTENCES = 'core/sentences'
// What these import is one chunk: a process opens one file, and bundlers, which split by file, make few chunks of it. What nothing
// but the main entry exports is another, so that the entry itself is a table: what it shares with code that is imported later
// belongs to the start of a bundle only where the bundle names it.
const CORE = ['src/app/app.ts', 'src/app/controller.ts', 'src/app/module.ts'].map((path) => join(root, path))
const MAIN = join(root, 'src/index.ts')
// A bundler keeps the import of a package with the file that it is in: apart from the other middlewares, it goes where nothing
// compresses.
const COMPRESSION = ['src/middleware/compression.ts', 'src/middleware/content-codings.ts'].map((path) =>
  join(root, path),
)
const ALWAYS_PACKED = ['README.md', 'LICENSE']
// What belongs to the checkout.
const LEFT_OUT = new Set(['workspaces', 'scripts', 'devDependencies', 'allowScripts'])

// Packages. What rolldown adds to the code by itself is none.
const EXTERNAL = /^(?![./\0]|@oxc-project\/)/

/**
 * Builds it.
 *
 * @param {string} folder Where to; what it held is deleted.
 * @returns {Promise<void>} Resolves when it is written.
 * @throws {Error} If the sources cannot be built.
 */
export async function buildPackage(folder) {
  const entries = entriesOf(readManifest())
  const common = { cwd: root, platform: 'node', external: EXTERNAL }
  await write(
    // Node 22 does not know every word of ours: `await using`, for example.
    {
      ...common,
      input: { ...entries, [PROGRAM]: `src/${PROGRAM}.ts`, [SENTENCES]: `src/${SENTENCES}.ts` },
      transform: { target: 'node22' },
      plugins: [directImports(), sentences()],
      // Chunks without what their modules import: that may be shared with others.
      preserveEntrySignatures: 'allow-extension',
      // It would put a module that two load into the file of one of them, even into the program.
      experimental: { chunkOptimization: false },
    },
    {
      dir: folder,
      chunkFileNames: 'chunks/[name]-[hash].js',
      comments: { jsdoc: false },
      cleanDir: true,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: chunkOf(), debugName: 'core' }],
      },
    },
  )
  const declarations = dts({
    emitDtsOnly: true,
    generator: 'oxc',
    sourcemap: false,
    tsconfig: join(root, 'tsconfig.build.json'),
  })
  await write(
    { ...common, input: entries, plugins: [declarations, publishers] },
    { dir: folder, chunkFileNames: 'types/[name]-[hash].js' },
  )
}

/**
 * Builds and packs it.
 *
 * @param {string} target Folder for the packed file.
 * @returns {Promise<string>} Path of the packed file.
 * @throws {Error} If the sources cannot be built, or npm cannot pack them.
 */
export async function packPackage(target) {
  const staged = mkdtempSync(join(tmpdir(), 'sallyport-package-'))
  try {
    const { files, ...manifest } = readManifest()
    const copied = globSync([...files.filter((pattern) => pattern !== 'dist'), ...ALWAYS_PACKED], {
      cwd: root,
    })
    for (const path of copied) cpSync(join(root, path), join(staged, path), { recursive: true })
    const published = { ...publishedOf(manifest), files }
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
    await buildPackage(join(staged, 'dist'))
    mkdirSync(target, { recursive: true })
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target]
    const printed = execFileSync('npm', pack, { cwd: staged, encoding: 'utf8' })
    return join(target, printed.trim().split('\n').at(-1) ?? '')
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

function publishedOf(manifest) {
  const exports = Object.entries(manifest.exports).map(([path, conditions]) => {
    if (typeof conditions === 'string') return [path, conditions]
    // The sources are not in the package.
    const { [SOURCES]: _, ...published } = conditions
    return [path, published]
  })
  const kept = Object.entries(manifest).filter(([name]) => !LEFT_OUT.has(name))
  return { ...Object.fromEntries(kept), exports: Object.fromEntries(exports) }
}

function entriesOf({ exports }) {
  const sources = Object.values(exports).flatMap((conditions) => conditions[SOURCES] ?? [])
  return Object.fromEntries(sources.map((source) => [source.replace(/^\.\/src\/|\.ts$/g, ''), source]))
}

/** Names the chunk of a module: null for what not every application needs, which the bundler distributes by itself. */
function chunkOf() {
  let core = null
  let exported = null
  return (id, context) => {
    core ??= importedFrom(CORE, context)
    exported ??= importedOnlyFrom(MAIN, core, context)
    if (core.has(id)) return 'core'
    if (COMPRESSION.includes(id)) return 'compression'
    return exported.has(id) ? 'exports' : null
  }
}

/** What a module imports and no other does, neither at once nor later, without what is elsewhere. */
function importedOnlyFrom(entry, elsewhere, context) {
  const found = importedFrom([entry], context).difference(elsewhere)
  for (let size = 0; size !== found.size;) {
    size = found.size
    for (const id of found) {
      const { importers = [], dynamicImporters = [] } = context.getModuleInfo(id) ?? {}
      if (id !== entry && ![...importers, ...dynamicImporters].every((each) => found.has(each)))
        found.delete(id)
    }
  }
  found.delete(entry)
  return found
}

/** Modules, and all that these import; what they load later is not among it. */
function importedFrom(entries, context) {
  const found = new Set(entries)
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? [])
      if (!EXTERNAL.test(imported)) found.add(imported)
  return found
}

// A type of a chunk has a name for readers in the entry that exports it. The compiler looks for it in what a program has read:
// each chunk names the entries that publish something of it.
const publishers = {
  name: 'publishers',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
    for (const entry of chunks.filter(({ isEntry }) => isEntry))
      for (const path of publishedChunks(entry.code)) {
        const file = posix.join(posix.dirname(entry.fileName), path).replace(/\.js$/, '.d.ts')
        const chunk = chunks.find(({ fileName }) => fileName === file)
        const back = posix.relative(posix.dirname(file), entry.fileName).replace(/\.d\.ts$/, '.js')
        chunk.code += `\nimport type {} from "${back}";`
      }
  },
}

/** Paths of the files that a declaration file exports something of. */
function publishedChunks(code) {
  const [, exported = ''] = /^export \{(.*)\};?$/m.exec(code) ?? []
  const published = new Set(exported.split(',').map((each) => each.trim().replace(/^type | as .*/g, '')))
  return [...code.matchAll(/^import \{(.*)\} from "(\..*)";$/gm)].flatMap(([, imported = '', path = '']) =>
    imported.split(',').some((each) => published.has(each.trim().replace(/^(?:type )?(?:.* as )?/, '')))
      ? [path]
      : [],
  )
}

/**
 * @param {import('rolldown').InputOptions} input What to read.
 * @param {import('rolldown').OutputOptions} output Where to write it.
 */
async function write(input, output) {
  const bundle = await rolldown(input)
  await bundle.write(output)
  await bundle.close()
}
