/**
 * The parts of the language that the project does without.
 *
 * @module
 */
import type { Node } from 'oxc-parser'

import { type Finding, findingAt, type SourceFile, walk } from './source-file.ts'

const givenAdvice = /(?:^|: )give /
const comments = /@ts-(ignore|nocheck|expect-error)\b/

/** Files whose default export a convention asks for, with the reason. */
export const defaultExports: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(^|\/)module\.ts$/, 'App.modulesFrom() reads the default export of module.ts'],
  [
    /^scripts\/(conformance\/leaf|test\/events)-reporter\.ts$/,
    'node:test takes the default export of a reporter',
  ],
]

/**
 * Checks that a file is erasable TypeScript without escape hatches.
 *
 * @param file Any file. Below `test/types/` an expected compiler error is allowed: it is what those files are for.
 * @returns What is broken.
 */
export function checkLanguage(file: SourceFile): Finding[] {
  const rule = 'language'
  const findings: Finding[] = []
  walk(file.program, (node) => {
    const message = refuse(node, file.path)
    if (message !== undefined) findings.push(findingAt(file, node.start, { rule, message }))
  })
  for (const { value, start } of file.comments) {
    const mark = comments.exec(value)?.[1]
    if (mark === undefined || (mark === 'expect-error' && file.path.startsWith('test/types/'))) continue
    findings.push(findingAt(file, start, { rule, message: `no @ts-${mark}` }))
  }
  return findings
}

/**
 * Checks that a file takes time and chance from `core/`, where a test can replace them.
 *
 * @param file A file of `src/` outside of `src/core/`, or of `starter/`.
 * @returns What is broken.
 */
export function checkClock(file: SourceFile): Finding[] {
  const findings: Finding[] = []
  walk(file.program, (node) => {
    const call = readsClock(node)
    if (call === undefined) return
    findings.push(
      findingAt(file, node.start, { rule: 'clock', message: `${call} stands in src/core only: inject it` }),
    )
  })
  return findings
}

/** The one file that normalizes text, because it bounds it first. */
export const normalizing = 'packages/sallyport-app/src/text/normalized-text.ts'

/**
 * Checks that text is normalized where its length is bounded: `String.normalize()` takes quadratic time.
 *
 * @param file A file of `src/` or `starter/`.
 * @returns What is broken.
 */
export function checkNormalizing(file: SourceFile): Finding[] {
  const findings: Finding[] = []
  if (file.path === normalizing) return findings
  walk(file.program, (node) => {
    if (!namesNormalize(node)) return
    const message = `normalize() stands in ${normalizing} only, for bounded text`
    findings.push(findingAt(file, node.start, { rule: 'normalizing', message }))
  })
  return findings
}

/**
 * Checks that messages for programmers say what to pass or use.
 *
 * @param file A file of `src/` or `starter/`.
 * @returns What is broken.
 */
export function checkMessages(file: SourceFile): Finding[] {
  const findings: Finding[] = []
  walk(file.program, (node) => {
    if (!givenAdvice.test(textOf(node))) return
    const message = 'a message says "pass", "use" or "must be", not "give"'
    findings.push(findingAt(file, node.start, { rule: 'messages', message }))
  })
  return findings
}

const augmenting = /^starter\/parts\/[\w-]+\/(?:part|tables|migration)\.ts$/

function refuse(node: Node, path: string): string | undefined {
  switch (node.type) {
    case 'TSAnyKeyword':
      return 'no any'
    case 'TSNonNullExpression':
      return 'no non-null assertion'
    case 'TSEnumDeclaration':
      return 'no enum'
    case 'TSModuleDeclaration':
      // A part adds what it has to the registries of the core: kinds of events, of mails, tables.
      return augmenting.test(path) && 'declare' in node && node.declare
        ? undefined
        : 'no namespace and no module augmentation'
    case 'Decorator':
      return 'no decorator'
    case 'TSParameterProperty':
      return 'no parameter property'
    case 'ExportDefaultDeclaration':
      return defaultExports.some(([pattern]) => pattern.test(path)) ? undefined : 'no default export'
    case 'ExportSpecifier':
      return 'name' in node.exported && node.exported.name === 'default' ? 'no default export' : undefined
    case 'PropertyDefinition':
    case 'VariableDeclarator':
      return node.definite === true ? 'no definite assignment with !' : undefined
    default:
      return undefined
  }
}

function readsClock(node: Node): string | undefined {
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const isDate = node.callee.type === 'Identifier' && node.callee.name === 'Date'
    const readsNow = node.arguments.length === 0 || node.type === 'CallExpression'
    return isDate && readsNow ? 'the current Date' : undefined
  }
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined
  const name = !node.computed && 'name' in node.property ? `${node.object.name}.${node.property.name}` : ''
  return name === 'Date.now' || name === 'Math.random' ? `${name}()` : undefined
}

function namesNormalize(node: Node): boolean {
  if (node.type !== 'MemberExpression') return false
  const { computed, property } = node
  if (computed) return property.type === 'Literal' && property.value === 'normalize'
  return 'name' in property && property.name === 'normalize'
}

function textOf(node: Node): string {
  if (node.type === 'TemplateElement') return node.value.raw
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
}
