/**
 * Where files stand, how large they grow, and what an `index.ts` looks like.
 *
 * @module
 */
import type { Node } from 'oxc-parser'

import { folderOf, layers } from './layers.ts'
import { docstringBefore, type Finding, findingAt, lineAt, type SourceFile, walk } from './source-file.ts'

const maxFileLines = 400
const maxFunctionLines = 60
const maxParameters = 3

/**
 * Functions with more positional parameters than three, because the specification or the public API fixes the call.
 * Each name is the class's or interface's and the member's.
 */
export const fixedCalls: ReadonlyMap<string, string> = new Map([
  [
    'SessionAuthentication.login',
    'the specification: session, authentication, identifier, principal, permissions',
  ],
  [
    'HttpException.constructor',
    'the style guide: status, code, message, options, as Error has message and options',
  ],
  ['SessionStore.rotate', 'the public API: from, to, changes, lifetime'],
])

const forbiddenNames = /(^|\/)(utils?|common|shared|helpers?|misc)(\/|\.ts$)|(^|\/)types\.ts$/
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/

/**
 * Checks where a file of `src/` stands and what it is called.
 *
 * @param path Its path.
 * @returns What is broken.
 */
export function checkPlace(path: string): Finding[] {
  const [, ...parts] = path.split('/')
  const name = parts.at(-1) ?? ''
  const folder = folderOf(path)
  const messages = [
    folder === undefined && name !== 'index.ts' && 'only index.ts stands in src itself',
    folder !== undefined && !(folder in layers) && `the layers table has no folder "${folder}"`,
    parts.length > 3 && 'at most one level below a folder',
    parts.length === 3 && /^(index|internal)\.ts$/.test(name) && `a sub-folder has no ${name}`,
    forbiddenNames.test(path) &&
      'no utils, common, shared, helpers, types.ts: code lives with the concept that owns it',
    !kebabCase.test(name) && 'file names are kebab-case',
  ]
  return messages
    .filter((message) => message !== false)
    .map((message) => ({ path, line: 1, rule: 'tree', message }))
}

/**
 * Checks that a test stands where its subject does: `test/auth/x.test.ts` for `src/auth/x.ts`. A name may tell an
 * aspect, `x.races.test.ts`. Folders of `test/` that `src/` does not have are free.
 *
 * @param path The test's path.
 * @param sources The paths of all files of `src/`.
 * @returns What is broken.
 */
export function checkMirror(path: string, sources: ReadonlySet<string>): Finding[] {
  const match = /^test\/(([^/]+)\/(?:[^/]+\/)?[^/.]+)(?:\.[^/]+)?\.test\.ts$/.exec(path)
  if (match === null || !((match[2] ?? '') in layers)) return []
  const source = `src/${match[1]}.ts`
  if (sources.has(source)) return []
  return [
    {
      path,
      line: 1,
      rule: 'mirror',
      message: `a test has the mirrored path of its subject: there is no ${source}`,
    },
  ]
}

/**
 * Checks that an `index.ts` is a table of contents: a module comment, then named re-exports. It may import a file for its effects.
 *
 * @param file An `index.ts`.
 * @returns What is broken.
 */
export function checkIndex(file: SourceFile): Finding[] {
  const rule = 'index'
  const [first] = file.program.body
  const isDescribed = first !== undefined && docstringBefore(file, first.start)?.includes('@module') === true
  const description = { rule, message: 'an index.ts begins with a module comment that ends in @module' }
  return [
    ...(isDescribed ? [] : [findingAt(file, 0, description)]),
    ...file.program.body
      .filter((statement) => !isNamedReExport(statement) && !isImportForEffects(statement))
      .map(({ start }) =>
        findingAt(file, start, { rule, message: 'an index.ts holds named re-exports only' }),
      ),
  ]
}

/**
 * Checks the length of a file and of its functions and the number of their parameters.
 *
 * @param file A file that is no test.
 * @returns What is broken.
 */
export function checkSizes(file: SourceFile): Finding[] {
  const rule = 'size'
  const findings: Finding[] = []
  const lines = file.text.trimEnd().split('\n').length
  if (lines > maxFileLines) {
    findings.push(
      findingAt(file, 0, { rule, message: `the file has ${lines} lines, at most ${maxFileLines}` }),
    )
  }
  walk(file.program, (node, ancestors) => {
    if (!('params' in node) || !Array.isArray(node.params) || !isCallable(node)) return
    const name = nameOf(node, ancestors)
    const length = lineAt(file, node.end) - lineAt(file, node.start) + 1
    if (length > maxFunctionLines) {
      findings.push(
        findingAt(file, node.start, {
          rule,
          message: `${name} has ${length} lines, at most ${maxFunctionLines}`,
        }),
      )
    }
    const count = node.params.filter((parameter) => !isThis(parameter)).length
    if (count > maxParameters && !isFixed(name)) {
      const message = `${name} has ${count} positional parameters, at most ${maxParameters}: data comes in one named object`
      findings.push(findingAt(file, node.start, { rule, message }))
    }
  })
  return findings
}

function isImportForEffects(statement: Node): boolean {
  return statement.type === 'ImportDeclaration' && statement.specifiers.length === 0
}

function isNamedReExport(statement: Node): boolean {
  if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) return false
  return statement.specifiers.every(({ exported }) => !('name' in exported && exported.name === 'default'))
}

function isCallable(node: Node): node is Extract<Node, { params: unknown[] }> {
  return node.type !== 'TSTypeParameterDeclaration' && node.type !== 'TSTypeParameterInstantiation'
}

function isThis(parameter: Node): boolean {
  return parameter.type === 'Identifier' && parameter.name === 'this'
}

/** The implementations of a fixed call share its shape: `SqliteSessionStore.rotate` goes by `SessionStore.rotate`. */
function isFixed(name: string): boolean {
  return [...fixedCalls.keys()].some((fixed) => name.endsWith(fixed))
}

/** `Class.member`, the name of a function, or what it is called where it has none. */
function nameOf(node: Node, ancestors: readonly Node[]): string {
  if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction')
    return node.id?.name ?? 'a function'
  const holder = 'key' in node ? node : ancestors.at(-1)
  if (holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier') return holder.id.name
  if (holder === undefined || !('key' in holder)) return 'a function'
  const member = 'name' in holder.key && typeof holder.key.name === 'string' ? holder.key.name : 'a member'
  const owner = ancestors.findLast((ancestor) => ownerName(ancestor) !== undefined)
  return owner === undefined ? member : `${ownerName(owner)}.${member}`
}

function ownerName(node: Node): string | undefined {
  const isOwner =
    node.type === 'ClassDeclaration' ||
    node.type === 'ClassExpression' ||
    node.type === 'TSInterfaceDeclaration'
  return isOwner ? node.id?.name : undefined
}
