/**
 * The mutants of source files: what they change, and the files with all of them, each behind a switch.
 *
 * @module
 */
import { pathToFileURL } from 'node:url'

/** One mistake in one place. */
export interface Mutant {
  /** Its switch; changes when the source does. */
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
  /** How many mistakes were left out because they change nothing but the text of an error. */
  readonly errorTexts: number
}

interface Position {
  readonly line: number
  readonly column: number
}

/** What we use of Stryker's instrumenter, which is installed at run time only. */
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

/** What we use of a node of Babel with its ancestors. */
interface NodePath {
  readonly node: {
    type: string
    value?: unknown
    callee?: { type: string; name?: string; property?: { id?: { name: string } } }
  }
  readonly parentPath: NodePath | null
}

/**
 * Writes every mutant of some sources, each behind a switch: a process behaves as the mutant whose id its environment
 * variable `__STRYKER_ACTIVE_MUTANT__` has.
 *
 * @param toolbox Path of the instrumenter's module.
 * @param sources What to mutate.
 * @returns The sources with all mutants in them.
 */
export async function mutate(toolbox: string, sources: readonly Source[]): Promise<Mutated> {
  // The package and its version stand in the lockfile beside this file.
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
 * Chooses some at random: the same ones for the same seed.
 *
 * @param all What to choose from; stays as it is.
 * @param share Between 0 and 1.
 * @param seed Any integer.
 * @returns The chosen ones in random order.
 */
export function sample<T>(all: readonly T[], share: number, seed: number): T[] {
  let state = seed >>> 0
  const random = () => {
    // Mulberry32, a generator of 32 bits with a seed.
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

/** A sentence in the making of an error: tests match codes and fields, not words. */
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

/** `new RangeError(…)`, `super(…)`, and `refuse(…)`, as the helpers are called that word a refusal. */
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
