/**
 * The clauses of the specification and how a test names them.
 *
 * A clause is a line `- AUTH-01 [fw] · sentence (L32)` of a file of docs/spec. A test names clauses in brackets
 * after its sentence: `returns the same object [AUTH-01 AUTH-05]`.
 *
 * @module
 */

/** Who must meet a clause: the framework, the reference application, or both. */
export type Owner = 'fw' | 'app' | 'both'

/** The files of docs/spec that hold clauses: the specification, what goes beyond it, and the reference application. */
export const clauseFiles = ['clauses.md', 'beyond.md', 'reference-app.md'] as const

/** One clause. */
export interface Clause {
  /** For example `AUTH-01`. */
  readonly id: string
  /** For example `AUTH`. */
  readonly prefix: string
  readonly owner: Owner
  /** The sentence, without the references to the specification's lines. */
  readonly text: string
}

const clauseLine = /^- (([A-Z]+)-\d+) \[(fw|app|both)\] · (.*)$/
const tag = /\[([A-Z]+-\d+(?: [A-Z]+-\d+)*)\]/g

/**
 * Reads clauses. Lines in other forms are not clauses: open questions, ambiguities and withdrawn clauses.
 *
 * @param markdown Text of each file.
 * @returns The clauses in the order of the files.
 * @throws {RangeError} If an id occurs twice, in one file or in two.
 */
export function parseClauses(...markdown: readonly string[]): Clause[] {
  const clauses = new Map<string, Clause>()
  for (const line of markdown.flatMap((text) => text.split('\n'))) {
    const match = clauseLine.exec(line)
    if (match === null) continue
    const [, id = '', prefix = '', owner = '', text = ''] = match
    if (!isOwner(owner) || /^\**withdrawn/i.test(text)) continue
    if (clauses.has(id)) throw new RangeError(`Cannot read the clauses: ${id} occurs twice`)
    clauses.set(id, { id, prefix, owner, text: text.replace(/( †)?( \(L\d[^)]*\))?\s*$/, '') })
  }
  return [...clauses.values()]
}

/**
 * Reads the ids in the tags of a test title.
 *
 * @param title Title of one `it` or `test`, without those of its suites.
 * @returns The ids in order; empty when the title has no tag.
 */
export function clauseIdsOf(title: string): string[] {
  const ids = [...title.matchAll(tag)].flatMap(([, list = '']) => list.split(' '))
  return [...new Set(ids)]
}

function isOwner(text: string): text is Owner {
  return text === 'fw' || text === 'app' || text === 'both'
}
