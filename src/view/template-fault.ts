import { EdgeError } from 'edge.js'
import type { Token } from 'edge.js/types'
import { SallyportException } from '../core/index.ts'
import { discardPromise, shown } from '../core/internal.ts'
import { TemplateException } from './template-exception.ts'
import { expressionsOf } from './template-expressions.ts'
import type { TemplateExpression } from './view-engine.ts'

/** What is known of a template that failed. */
export interface FailedTemplate {
  readonly file: string
  readonly line: number
  /** The functions that it was compiled to. */
  readonly codes: readonly string[]
  /** Its tokens; empty if it cannot be read any more. */
  readonly tokens: readonly Token[]
}

// Code that a template was compiled to, as V8 names it in a stack.
const FRAME = /^.*\beval at [^\n]*<anonymous>:(\d+):(\d+)\)?$/m
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const MARK = /^\$lineNumber = (\d+);$/
const TEXT = /^\w+ \+= "(?:[^"\\]|\\.)*";$/

/**
 * Says where a template failed.
 *
 * @param error What was thrown while it was rendered.
 * @param describe Finds out about the template; called only when it is needed.
 * @returns The error itself if it is an answer to the client, such as a 503, or says where already.
 */
export function templateFault(error: unknown, describe: () => FailedTemplate): unknown {
  if (error instanceof TemplateException || isAnswer(error)) return error
  discardPromise(error)
  const failed = describe()
  const { file } = failed
  // Thrown by the tag @newError, which says where.
  const told =
    error instanceof EdgeError ? { file: error.filename, line: error.line, column: error.col + 1 } : null
  const place = told ?? { file, ...positionOf(error, failed) }
  return new TemplateException(messageOf(error), place, { cause: error })
}

/**
 * Says where the syntax of a template is wrong.
 *
 * @param error What the compiler threw.
 * @returns The error with its place, or itself if it has none.
 */
export function syntaxFault(error: unknown): unknown {
  if (!(error instanceof EdgeError)) return error
  const { filename: file, line, col } = error
  return new TemplateException(error.message.trim(), { file, line, column: col + 1 }, { cause: error })
}

// An exception with a status becomes the response. An operation that was aborted when the client left is no fault.
function isAnswer(error: unknown): boolean {
  if (error instanceof SallyportException) return 'status' in error
  return error instanceof Error && error.name === 'AbortError'
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `A template threw ${shown(error)}`
  // The code has the values of the page as properties of `state`.
  return error.message.replaceAll(/\bstate\.(?=[\p{ID_Start}$_])/gu, '')
}

interface Position {
  readonly line: number
  readonly column: number
}

function positionOf(error: unknown, { line, codes, tokens }: FailedTemplate): Position {
  const expressions = expressionsOf(tokens).filter((each) => each.line === line)
  const frame = error instanceof Error ? FRAME.exec(error.stack ?? '') : null
  if (frame !== null) {
    for (const code of codes) {
      const failed = nameAt(code.split('\n'), { row: Number(frame[1]) - 1, at: Number(frame[2]) - 1, line })
      const position = failed && positionOfName(failed, expressions)
      if (position !== undefined) return position
    }
  }
  return { line, column: expressions[0]?.column ?? 1 }
}

interface FailedName {
  readonly name: string
  /** How often the line has the name before. */
  readonly before: number
}

/** The name in the code at which it failed, if the code there is that of the line. */
function nameAt(
  rows: readonly string[],
  { row, at, line }: { readonly row: number; readonly at: number; readonly line: number },
): FailedName | undefined {
  NAME.lastIndex = at
  const name = NAME.exec(rows[row] ?? '')?.[0]
  if (name === undefined) return undefined
  let before = countOf(name, (rows[row] ?? '').slice(0, at))
  for (let above = row - 1; above >= 0; above--) {
    const text = rows[above] ?? ''
    const mark = MARK.exec(text)
    if (mark !== null) return Number(mark[1]) === line ? { name, before } : undefined
    if (!TEXT.test(text)) before += countOf(name, text)
    if (text === 'try {') break
  }
  return line === 1 ? { name, before } : undefined
}

function positionOfName(
  { name, before }: FailedName,
  expressions: readonly TemplateExpression[],
): Position | undefined {
  let left = before
  for (const { code, line, column } of expressions) {
    const found = [...code.matchAll(boundary(name))]
    const match = found[left]
    if (match !== undefined) {
      const lines = code.slice(0, match.index).split('\n')
      const last = lines.at(-1) ?? ''
      return { line: line + lines.length - 1, column: last.length + (lines.length === 1 ? column : 1) }
    }
    left -= found.length
  }
  return undefined
}

function countOf(name: string, code: string): number {
  return [...code.matchAll(boundary(name))].length
}

function boundary(name: string): RegExp {
  return new RegExp(`(?<![\\p{ID_Continue}$])${name.replaceAll('$', '\\$')}(?![\\p{ID_Continue}$])`, 'gu')
}
