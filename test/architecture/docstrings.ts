/**
 * Everything that a package entry exports has a docstring: declarations, members of classes, interfaces and object
 * types; and the docstring of a call names its parameters and its result.
 *
 * @module
 */
import type { Class, Node, ParamPattern, TSTypeAnnotation } from 'oxc-parser'

import {
  docstringBefore,
  type Finding,
  findingAt,
  referencesOf,
  type SourceFile,
  walk,
} from './source-file.ts'

const rule = 'docstring'

/** A declaration, where it is exported. */
interface Declared {
  readonly file: SourceFile
  readonly name: string
  readonly node: Node
  /** Where its docstring ends: before `export`. */
  readonly start: number
}

/** What can be documented and called: a function, a method, a constructor. */
interface Callable {
  readonly params: readonly ParamPattern[]
  /** Absent where nothing is returned: constructors and accessors. */
  readonly returnType?: TSTypeAnnotation | null | undefined
}

/** A part of a class, interface or object type. */
interface Member {
  readonly name: string
  readonly start: number
  readonly call?: Callable | undefined
  readonly isOverride: boolean
}

/**
 * Checks the docstrings of what can be reached from the package.
 *
 * @param files All files of `src/`.
 * @param entries Paths of the package's entries.
 * @returns What is broken.
 */
export function checkDocstrings(files: readonly SourceFile[], entries: readonly string[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const documented = documentedMembers(files)
  const reached = new Map<Node, Declared>()
  for (const entry of entries) {
    const file = byPath.get(entry)
    if (file === undefined) continue
    for (const declared of exportsOf(file, byPath)) {
      reached.set(declared.node, declared)
      // The types of its options and what it extends need not be exported by name.
      for (const behind of [...optionsOf(declared, byPath), ...parentsBehind(declared, byPath)])
        reached.set(behind.node, behind)
    }
  }
  return [...reached.values()].flatMap((declared) => checkDeclaration(declared, documented))
}

function checkDeclaration(declared: Declared, documented: ReadonlyMap<string, DocumentedType>): Finding[] {
  const { file, node, name, start } = declared
  const own = [
    ...checkSentence(declared),
    ...check(file, { name, start, call: callOf(node), isOverride: false }),
  ]
  const members = Map.groupBy(membersOf(node), (member) => member.name)
  const inherited = inheritedMembers(node, documented)
  const ofMembers = [...members.values()].flatMap((group) => {
    // Overloads and a getter with its setter share the docstring of whichever has one.
    const described = group.find((member) => docstringBefore(file, member.start) !== undefined) ?? group[0]
    if (described === undefined) return []
    const isInherited = described.isOverride || inherited.has(described.name)
    if (isInherited && docstringBefore(file, described.start) === undefined) return []
    return check(file, { ...described, name: `${name}.${described.name}` })
  })
  return [...own, ...ofMembers]
}

/** A member may begin with its tags when they say it all; what is exported on its own may not. */
function checkSentence({ file, name, start }: Declared): Finding[] {
  const doc = docstringBefore(file, start)
  if (doc === undefined || /^[\s*]*[^\s*@]/.test(doc)) return []
  return [findingAt(file, start, { rule, message: `the docstring of ${name} begins with a sentence` })]
}

function check(file: SourceFile, { name, start, call }: Member): Finding[] {
  const doc = docstringBefore(file, start)
  if (doc === undefined) return [findingAt(file, start, { rule, message: `${name} has no docstring` })]
  const messages = [
    ...(/@(param|returns)\s+\{/.test(doc) ? [`the docstring of ${name} repeats types`] : []),
    ...(call === undefined ? [] : checkTags(name, doc, call)),
  ]
  return messages.map((message) => findingAt(file, start, { rule, message }))
}

function checkTags(name: string, doc: string, { params, returnType }: Callable): string[] {
  const described = [...doc.matchAll(/@param\s+(\w+)/g)].map((match) => match[1] ?? '')
  const names = params.map(nameOfParameter).filter((parameter) => parameter !== 'this')
  const missing = names.filter((parameter) => parameter !== undefined && !described.includes(parameter))
  const stale = names.includes(undefined) ? [] : described.filter((parameter) => !names.includes(parameter))
  return [
    ...missing.map((parameter) => `the docstring of ${name} does not tell @param ${parameter}`),
    ...stale.map((parameter) => `the docstring of ${name} tells @param ${parameter}, which does not exist`),
    ...(returnsSomething(returnType) && !doc.includes('@returns')
      ? [`the docstring of ${name} does not tell @returns`]
      : []),
  ]
}

function nameOfParameter(parameter: Node): string | undefined {
  switch (parameter.type) {
    case 'Identifier':
      return parameter.name
    case 'AssignmentPattern':
      return nameOfParameter(parameter.left)
    case 'RestElement':
      return nameOfParameter(parameter.argument)
    default:
      return undefined
  }
}

function returnsSomething(annotation: TSTypeAnnotation | null | undefined): boolean {
  if (!annotation) return false
  const type = annotation.typeAnnotation
  const nothing = ['TSVoidKeyword', 'TSNeverKeyword', 'TSUndefinedKeyword', 'TSThisType']
  if (type.type === 'TSTypePredicate') return !type.asserts
  if (type.type !== 'TSTypeReference') return !nothing.includes(type.type)
  const isPromise = type.typeName.type === 'Identifier' && type.typeName.name === 'Promise'
  const inner = type.typeArguments?.params[0]
  return !(isPromise && inner !== undefined && nothing.includes(inner.type))
}

/** Members with a docstring, and the types that a type takes more of them from. */
interface DocumentedType {
  readonly members: ReadonlySet<string>
  readonly parents: readonly string[]
}

function documentedMembers(files: readonly SourceFile[]): Map<string, DocumentedType> {
  const types = new Map<string, DocumentedType>()
  for (const file of files) {
    for (const statement of file.program.body) {
      const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (!node || !('id' in node) || node.id?.type !== 'Identifier') continue
      const members = membersOf(node).filter(({ start }) => docstringBefore(file, start) !== undefined)
      types.set(node.id.name, { members: new Set(members.map(({ name }) => name)), parents: parentsOf(node) })
    }
  }
  return types
}

function inheritedMembers(node: Node, types: ReadonlyMap<string, DocumentedType>): Set<string> {
  const members = new Set<string>()
  const waiting = parentsOf(node)
  for (const parent of waiting) {
    const type = types.get(parent) ?? platformType(parent)
    for (const member of type.members) members.add(member)
    waiting.push(...type.parents.filter((each) => !waiting.includes(each)))
  }
  return members
}

/** What the platform declares is described there: `text()` of a class that implements `Response`. */
function platformType(name: string): DocumentedType {
  const value: unknown = Reflect.get(globalThis, name)
  const members = typeof value === 'function' ? Object.getOwnPropertyNames(value.prototype) : []
  return { members: new Set(members.filter((member) => member !== 'constructor')), parents: [] }
}

function parentsOf(node: Node): string[] {
  const heritage: Node[] = []
  if (isClass(node))
    heritage.push(
      ...(node.superClass ? [node.superClass] : []),
      ...(node.implements ?? []).map((each) => each.expression),
    )
  if (node.type === 'TSInterfaceDeclaration') heritage.push(...node.extends.map((each) => each.expression))
  return heritage.flatMap((each) => (each.type === 'Identifier' ? [each.name] : []))
}

function isClass(node: Node): node is Class {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression'
}

function callOf(node: Node): Callable | undefined {
  if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction') return node
  const isFunction = node.type === 'VariableDeclarator' && node.init?.type === 'ArrowFunctionExpression'
  return isFunction && node.init?.type === 'ArrowFunctionExpression' ? node.init : undefined
}

function membersOf(node: Node): Member[] {
  if (isClass(node)) return node.body.body.flatMap(memberOfClass)
  if (node.type === 'TSInterfaceDeclaration') return node.body.body.flatMap(memberOfType)
  if (node.type !== 'TSTypeAliasDeclaration') return []
  return node.typeAnnotation.type === 'TSTypeLiteral' ? node.typeAnnotation.members.flatMap(memberOfType) : []
}

function memberOfClass(element: Node): Member[] {
  if (!('key' in element) || element.key.type !== 'Identifier' || !('accessibility' in element)) return []
  if (element.accessibility === 'private') return []
  const { name } = element.key
  const isOverride = 'override' in element && element.override
  const isMethod = element.type === 'MethodDefinition' || element.type === 'TSAbstractMethodDefinition'
  if (!isMethod) return [{ name, start: element.start, isOverride }]
  const isPlain = element.kind === 'constructor' && element.value.params.length === 0
  if (isPlain) return []
  const call = {
    params: element.value.params,
    returnType: element.kind === 'method' ? element.value.returnType : null,
  }
  const isAccessor = element.kind === 'get' || element.kind === 'set'
  return [{ name, start: element.start, isOverride, call: isAccessor ? undefined : call }]
}

function memberOfType(element: Node): Member[] {
  if (element.type !== 'TSPropertySignature' && element.type !== 'TSMethodSignature') return []
  if (element.key.type !== 'Identifier') return []
  const call = element.type === 'TSMethodSignature' ? element : undefined
  return [{ name: element.key.name, start: element.start, call, isOverride: false }]
}

function optionsOf({ file, node }: Declared, byPath: ReadonlyMap<string, SourceFile>): Declared[] {
  const names = new Set<string>()
  walk(node, (each) => {
    if (each.type === 'TSTypeReference' && each.typeName.type === 'Identifier') names.add(each.typeName.name)
  })
  return exportsOf(file, byPath).filter(({ name }) => /(?:Options|Limits)$/.test(name) && names.has(name))
}

function parentsBehind({ file, node }: Declared, byPath: ReadonlyMap<string, SourceFile>): Declared[] {
  const names = parentsOf(node)
  return referencesOf(file).flatMap(({ target }) => {
    const imported = target === undefined ? undefined : byPath.get(target)
    if (imported === undefined) return []
    return exportsOf(imported, byPath).filter(({ name }) => names.includes(name))
  })
}

function exportsOf(file: SourceFile, byPath: ReadonlyMap<string, SourceFile>): Declared[] {
  return file.program.body.flatMap((statement): Declared[] => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const { declaration, source, specifiers, start } = statement
    if (declaration) return declare(file, declaration, start)
    return specifiers.flatMap(({ local }) => {
      const name = 'name' in local ? local.name : local.value
      if (source === null) return ownDeclarations(file).filter((declared) => declared.name === name)
      const target = byPath.get(new URL(source.value, `file:///${file.path}`).pathname.slice(1))
      if (target === undefined) return []
      return exportsOf(target, byPath).filter((declared) => declared.name === name)
    })
  })
}

function ownDeclarations(file: SourceFile): Declared[] {
  return file.program.body.flatMap((statement) => declare(file, statement, statement.start))
}

function declare(file: SourceFile, node: Node, start: number): Declared[] {
  if (node.type === 'VariableDeclaration') {
    return node.declarations.flatMap((each) =>
      each.id.type === 'Identifier' ? [{ file, name: each.id.name, node: each, start }] : [],
    )
  }
  return 'id' in node && node.id?.type === 'Identifier' ? [{ file, name: node.id.name, node, start }] : []
}
