/**
 * The packages of TypeScript as they are published: the framework, and `sallyport-app`. Code and declarations that the same entries need are one chunk, so that a process that imports
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
import { chunkNames } from './chunk-names.mjs'
import { directImports } from './direct-imports.mjs'
import { sentences } from './sentences.mjs'
import { root } from './toolchain.mjs'

const SOURCES = 'sallyport-source'
const ALWAYS_PACKED = ['README.md']
// What belongs to the checkout.
const LEFT_OUT = new Set(['workspaces', 'scripts', 'devDependencies', 'allowScripts'])

/** What is built: the entries are those of the `exports` of its `package.json`. */
export const FRAMEWORK = {
  folder: root,
  programs: ['cli/main'],
  // Its path is an import of package.json.
  parts: ['core/sentences'],
  plugins: [sentences()],
  chunkNames,
}
/** The plumbing of applications. */
export const APP = {
  folder: join(root, 'packages/sallyport-app'),
  programs: [],
  parts: [],
  plugins: [],
  chunkNames: null,
}

// Packages. What rolldown adds to the code by itself is none.
const EXTERNAL = /^(?![./\0]|@oxc-project\/)/

/**
 * Builds a package.
 *
 * @param {typeof FRAMEWORK | typeof APP} built Which.
 * @param {string} target Where to; what it held is deleted. Default: its folder `dist`.
 * @returns {Promise<void>} Resolves when it is written.
 * @throws {Error} If the sources cannot be built.
 */
export async function buildPackage(built, target = join(built.folder, 'dist')) {
  const { folder, programs, parts } = built
  const entries = entriesOf(readManifest(folder))
  const others = Object.fromEntries([...programs, ...parts].map((name) => [name, `src/${name}.ts`]))
  const common = { cwd: folder, platform: 'node', external: EXTERNAL }
  await write(
    // Node 22 does not know every word of ours: `await using`, for example.
    {
      ...common,
      input: { ...entries, ...others },
      transform: { target: 'node22' },
      plugins: [directImports(), ...built.plugins],
      // An entry may export more than its own names: `splittingBy()` requires it.
      preserveEntrySignatures: built.chunkNames === null ? 'exports-only' : 'allow-extension',
      // It would put a module that two load into the file of one of them, even into the program.
      experimental: { chunkOptimization: false },
    },
    {
      dir: target,
      chunkFileNames: 'chunks/[name]-[hash].js',
      comments: { jsdoc: false },
      cleanDir: true,
      ...(built.chunkNames === null ? {} : splittingBy(built.chunkNames)),
    },
  )
  const declarations = dts({
    emitDtsOnly: true,
    generator: 'oxc',
    sourcemap: false,
    tsconfig: join(folder, 'tsconfig.build.json'),
  })
  await write(
    { ...common, input: entries, plugins: [declarations, publishers] },
    { dir: target, chunkFileNames: 'types/[name]-[hash].js' },
  )
}

/**
 * Builds and packs a package.
 *
 * @param {typeof FRAMEWORK | typeof APP} packed Which.
 * @param {string} target Folder for the packed file.
 * @returns {Promise<string>} Path of the packed file.
 * @throws {Error} If the sources cannot be built, or npm cannot pack them.
 */
export async function packPackage(packed, target) {
  const { folder } = packed
  const staged = mkdtempSync(join(tmpdir(), 'sallyport-package-'))
  try {
    const { files, ...manifest } = readManifest(folder)
    const copied = globSync([...files.filter((pattern) => pattern !== 'dist'), ...ALWAYS_PACKED], {
      cwd: folder,
    })
    // Packages of one repository have one license.
    cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
    for (const path of copied) cpSync(join(folder, path), join(staged, path), { recursive: true })
    const published = { ...publishedOf(manifest), files }
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
    await buildPackage(packed, join(staged, 'dist'))
    mkdirSync(target, { recursive: true })
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target]
    const printed = execFileSync('npm', pack, { cwd: staged, encoding: 'utf8' })
    return join(target, printed.trim().split('\n').at(-1) ?? '')
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
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

/** A group has those modules that are named for it, without what they import: that may be shared with others. */
function splittingBy(chunkNames) {
  const groups = [{ name: chunkNames(EXTERNAL), debugName: 'of the framework' }]
  return { codeSplitting: { includeDependenciesRecursively: false, groups } }
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
