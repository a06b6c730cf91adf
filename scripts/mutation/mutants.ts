/**
 * The mutants of source files: the changes, and the files with all of them, each behind a switch.
 *
 * @module
 */
import { pathToFileURL } from 'node:url'

/** One mistake in one place. */
export interface Mutant {
  /** Identifier of its switch; changes when the source does. */
  readonly id: string
  /** Path from the root of the checkout. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Kind of the mistake: `EqualityOperator`, `BlockStatement`. */
  readonly kind: string
  readonly original: string
  readonly replacement: string
}

/** A source file. */
export interface Source {
  readonly path: string
  readonly contents: string
}

/** Sources with switches in them. */
export interface Mutated {
  readonly sources: Source[]
  readonly mutants: Mutant[]
  /** How many mutants were left out because they change only an error message. */
  readonly errorTexts: number
}

interface Position {
  readonly line: number
  readonly column: number
}

/** The part of Stryker's instrumenter that we use; it is installed at run time only. */
interface Toolbox {
  readonly Instrumenter: new (logger: object) => {
    instrument(
      files: readonly { name: string; content: string; mutate: true }[],
      options: object,
    ): Promise<{
      files: readonly { name: string; content: string }[]
      mutants: readonly {
        id: string
        fileName: string
        mutatorName: string
        replacement: string
        status?: string
        location: { start: Position; end: Position }
      }[]
    }>
  }
}

/** The part of a Babel node path that we use. */
interface NodePath {
  readonly node: {
    type: string
    value?: unknown
    callee?: { type: string; name?: string; property?: { id?: { name: string } } }
  }
  readonly parentPath: NodePath | null
}

/**
 * Writes every mutant of some sources, each behind a switch: a process activates the mutant whose id is in its environment
 * variable `__STRYKER_ACTIVE_MUTANT__`.
 *
 * @param toolbox Path of the instrumenter's module.
 * @param sources What to mutate.
 * @returns The sources with all mutants in them.
 */
export async function mutate(toolbox: string, sources: readonly Source[]): Promise<Mutated> {
  // The package and its version are in the lockfile next to this file.
  const { Instrumenter } = (await import(pathToFileURL(toolbox).href)) as Toolbox
  const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false }
  const result = await new Instrumenter(silent).instrument(
    sources.map(({ path, contents }) => ({ name: path, content: contents, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [{ shouldIgnore: textOfAnError }] },
  )
  const lines = new Map(sources.map(({ path, contents }) => [path, contents.split('\n')]))
  const counted = result.mutants.filter(({ status }) => status !== 'Ignored')
  return {
    sources: result.files.map(({ name, content }) => ({ path: name, contents: content })),
    mutants: counted.map(({ id, fileName, mutatorName, replacement, location: { start, end } }) => ({
      id,
      file: fileName,
      line: start.line + 1,
      column: start.column + 1,
      kind: mutatorName,
      original: cut(lines.get(fileName) ?? [], start, end),
      replacement,
    })),
    errorTexts: result.mutants.length - counted.length,
  }
}

/**
 * Chooses random elements: the same ones for the same seed.
 *
 * @param all Elements to choose from; not changed.
 * @param share Between 0 and 1.
 * @param seed Any integer.
 * @returns The chosen elements in random order.
 */
export function sample<T>(all: readonly T[], share: number, seed: number): T[] {
  let state = seed >>> 0
  const random = () => {
    // Mulberry32, a seeded 32-bit generator.
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
  return all
    .map((each) => ({ each, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.ceil(all.length * share))
    .map(({ each }) => each)
}

/** A message in the construction of an error: tests match codes and fields, not words. */
function textOfAnError(path: NodePath): string | undefined {
  const { type, value } = path.node
  const isText = type === 'TemplateLiteral' || (type === 'StringLiteral' && String(value).includes(' '))
  if (!isText) return undefined
  for (let at = path.parentPath; at !== null; at = at.parentPath) {
    if (at.node.type.includes('Function') || at.node.type.includes('Method')) return undefined
    if (at.node.type.endsWith('Expression') && makesError(at.node)) return 'text of an error'
  }
  return undefined
}

/** `new RangeError(…)`, `super(…)`, and `refuse(…)`, the name of helpers that create refusals. */
function makesError({ type, callee }: NodePath['node']): boolean {
  if (type === 'NewExpression') return /(Error|Exception)$/.test(callee?.name ?? '')
  if (type !== 'CallExpression') return false
  return callee?.type === 'Super' || (callee?.name ?? callee?.property?.id?.name) === 'refuse'
}

function cut(lines: readonly string[], start: Position, end: Position): string {
  const chosen = lines.slice(start.line, end.line + 1)
  const last = chosen.length - 1
  return chosen
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join('\n')
}
