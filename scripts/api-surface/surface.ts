/**
 * The public surface as text, so that a review shows which part of the public API changes.
 *
 * @module
 */
import { posix } from 'node:path'
import { type Comment, type Node, parseSync } from 'oxc-parser'

import type { Entry } from './declarations.ts'

/** A name in a file. */
interface Place {
  readonly file: string
  readonly name: string
}

/** Parsed content of a declaration file. */
interface DeclarationFile {
  /** Signatures by name; several for overloaded functions, or for a type and a value of the same name. */
  readonly declared: ReadonlyMap<string, readonly string[]>
  /** Origin of the names that it imports or re-exports. */
  readonly elsewhere: ReadonlyMap<string, Place>
  /** Its exports, in order. */
  readonly exported: readonly string[]
}

/** A declaration and its file. */
interface Declared extends Place {
  readonly signatures: readonly string[]
}

const HEAD = `# The public surface

Every name that the package exports, with its signature, as it is declared. It is here to be reviewed: \`npm run
api-surface\` writes this file, and a test fails when it is not what the sources give. The guides say what each name is for.

Options that one constructor alone takes have no name of their own: \`ConstructorParameters<typeof SessionPolicy>[0]\`. The last
section has them, with whatever else signatures need.
`

/**
 * Formats the surface: the exports of each entry, then the types that their signatures name without exporting them.
 *
 * @param entries Entries of the package.
 * @param texts Declarations by file.
 * @returns The content of test/scripts/fixture/api-surface.md.
 * @throws {Error} If an entry exports a name that is not declared.
 */
export function describeSurface(entries: readonly Entry[], texts: ReadonlyMap<string, string>): string {
  const files = new Map([...texts].map(([path, text]) => [path, parse(path, text)]))
  const exported = new Map<string, Declared>()
  const sections = entries.map(({ specifier, file }) => {
    const declarations = (files.get(file)?.exported ?? []).map((name) => find(files, { file, name }))
    for (const declaration of declarations) exported.set(keyOf(declaration), declaration)
    return section(`\`${specifier}\``, declarations)
  })
  const reached = [...reach(files, exported)].filter(([key]) => !exported.has(key))
  const behind = reached.map(([, declared]) => declared)
  return [HEAD, ...sections, section('Types behind them', behind)].join('\n')
}

function section(title: string, declarations: readonly Declared[]): string {
  const ordered = declarations.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const blocks = ordered.flatMap(({ signatures }) => signatures).join('\n\n')
  return `## ${title}\n\n\`\`\`typescript\n${blocks}\n\`\`\`\n`
}

/** Follows the names in signatures until there are no new ones. */
function reach(
  files: ReadonlyMap<string, DeclarationFile>,
  from: ReadonlyMap<string, Declared>,
): Map<string, Declared> {
  const reached = new Map(from)
  const waiting = [...from.values()]
  for (const { file, signatures } of waiting) {
    for (const name of namesIn(signatures)) {
      if (!isKnown(files.get(file), name)) continue
      const declared = find(files, { file, name })
      if (reached.has(keyOf(declared)) || !declared.signatures.some(isType)) continue
      reached.set(keyOf(declared), declared)
      waiting.push(declared)
    }
  }
  return reached
}

/** Words, not identifiers: a false match only lists a type that need not be listed. */
function namesIn(signatures: readonly string[]): Set<string> {
  return new Set(signatures.join('\n').match(/[A-Za-z_$][\w$]*/g))
}

function isKnown(file: DeclarationFile | undefined, name: string): boolean {
  return file !== undefined && (file.declared.has(name) || file.elsewhere.has(name))
}

function find(files: ReadonlyMap<string, DeclarationFile>, { file, name }: Place): Declared {
  const signatures = files.get(file)?.declared.get(name)
  if (signatures !== undefined) return { file, name, signatures }
  const place = files.get(file)?.elsewhere.get(name)
  if (place === undefined) throw new Error(`Cannot describe "${name}": ${file} does not declare it`)
  return find(files, place)
}

function isType(signature: string): boolean {
  return /^(?:abstract )?(?:class|interface|type) /.test(signature)
}

function keyOf({ file, name }: Place): string {
  return `${file}#${name}`
}

function parse(path: string, text: string): DeclarationFile {
  const declared = new Map<string, string[]>()
  const elsewhere = new Map<string, Place>()
  const exported: string[] = []
  const { program, comments } = parseSync(path, text)
  for (const statement of program.body) {
    const isExport = statement.type === 'ExportNamedDeclaration'
    if (statement.type === 'ImportDeclaration' || (isExport && statement.source !== null)) {
      for (const [name, place] of namesElsewhere(path, statement)) elsewhere.set(name, place)
    }
    if (isExport) exported.push(...statement.specifiers.map(({ exported: name }) => nameOf(name)))
    const declaration = isExport ? statement.declaration : statement
    for (const name of namesOf(declaration)) {
      const signatures = declared.get(name) ?? []
      declared.set(name, [...signatures, signatureOf(text, statement, comments)])
      if (isExport && signatures.length === 0) exported.push(name)
    }
  }
  return { declared, elsewhere, exported }
}

function namesElsewhere(path: string, statement: Node): [string, Place][] {
  if (!('source' in statement) || !('specifiers' in statement)) return []
  const source = statement.source?.type === 'Literal' ? statement.source.value : ''
  if (!source.startsWith('.')) return []
  const file = posix.join(posix.dirname(path), source).replace(/\.[jt]s$/, '.d.ts')
  return statement.specifiers.flatMap((each): [string, Place][] => {
    if (each.type === 'ImportSpecifier') return [[each.local.name, { file, name: nameOf(each.imported) }]]
    if (each.type === 'ExportSpecifier') return [[nameOf(each.exported), { file, name: nameOf(each.local) }]]
    return []
  })
}

function namesOf(declaration: Node | null): string[] {
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  if (declaration === null || !('id' in declaration)) return []
  return declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : ''
}

/** A statement without its comments, `export declare` and the marker of private members. */
function signatureOf(text: string, { start, end }: Node, comments: readonly Comment[]): string {
  const inside = comments.filter((comment) => comment.start >= start && comment.end <= end)
  let from = start
  let signature = ''
  for (const comment of inside) {
    signature += text.slice(from, comment.start)
    from = comment.end
  }
  return (signature + text.slice(from, end))
    .replace(/^(?:export )?(?:declare )?/, '')
    .replaceAll(/^ *#private;$/gm, '')
    .replaceAll(/\n(?: *\n)+/g, '\n')
}
