/**
 * A parsed file and what rules ask of it.
 *
 * @module
 */
import { type Comment, type Node, type Program, parseSync, visitorKeys } from 'oxc-parser'

/** A file of the project, parsed. */
export interface SourceFile {
  /** From the root of the checkout, with slashes: `src/auth/permission-set.ts`. */
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
}

/** A broken rule. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly message: string
}

/** A module that a file names, types and dynamic imports included. */
export interface ModuleReference {
  /** As written. */
  readonly specifier: string
  /** The file it means when it is relative. */
  readonly target: string | undefined
  readonly offset: number
}

/**
 * Parses a file.
 *
 * @param path Its place in the project; decides nothing but what rules make of it.
 * @param text Its contents.
 * @returns The parsed file.
 * @throws {SyntaxError} If it is not TypeScript.
 */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new SyntaxError(`Cannot parse ${path}: ${error.message}`)
  return { path, text, program, comments }
}

/**
 * Makes a finding at a place in a file.
 *
 * @param file Where the rule is broken.
 * @param offset Place in its text.
 * @param what The rule and the sentence.
 * @returns The finding.
 */
export function findingAt(
  file: SourceFile,
  offset: number,
  what: { rule: string; message: string },
): Finding {
  return { path: file.path, line: lineAt(file, offset), ...what }
}

/**
 * Tells the line of a place.
 *
 * @param file A file.
 * @param offset Place in its text.
 * @returns Its line, from 1.
 */
export function lineAt(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length
}

/**
 * Visits every node below one, parents first.
 *
 * @param node Where to begin.
 * @param visit Called with each node and those above it, the nearest last.
 */
export function walk(node: Node, visit: (node: Node, ancestors: readonly Node[]) => void): void {
  const ancestors: Node[] = []
  descend(node)

  function descend(current: Node): void {
    visit(current, ancestors)
    ancestors.push(current)
    for (const key of visitorKeys[current.type] ?? []) {
      // The parser's own table says which properties hold nodes; its types cannot.
      const child = (current as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key]
      for (const each of Array.isArray(child) ? child : [child]) if (each) descend(each)
    }
    ancestors.pop()
  }
}

/**
 * Lists the modules that a file names.
 *
 * @param file A file.
 * @returns One reference for each place.
 */
export function referencesOf(file: SourceFile): ModuleReference[] {
  const references: ModuleReference[] = []
  walk(file.program, (node) => {
    const source = sourceOf(node)
    if (source === undefined) return
    references.push({ specifier: source, target: resolve(file.path, source), offset: node.start })
  })
  return references
}

/**
 * Finds the docstring of what begins at a place: the comment block with two stars, nothing but blanks between.
 *
 * @param file A file.
 * @param offset Where the declaration begins.
 * @returns The text between the marks; undefined when there is none.
 */
export function docstringBefore(file: SourceFile, offset: number): string | undefined {
  const comment = file.comments.findLast(({ end }) => end <= offset)
  if (comment === undefined || comment.type !== 'Block' || !comment.value.startsWith('*')) return undefined
  return file.text.slice(comment.end, offset).trim() === '' ? comment.value : undefined
}

function sourceOf(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSImportType':
      return node.source.value
    case 'ExportNamedDeclaration':
      return node.source?.value
    case 'ImportExpression':
      return node.source.type === 'Literal' && typeof node.source.value === 'string'
        ? node.source.value
        : undefined
    default:
      return undefined
  }
}

function resolve(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return new URL(specifier, `file:///${from}`).pathname.slice(1)
}
