import type { Edge } from 'edge.js'
import type { EdgeBufferContract, ParserContract, TagContract, TagToken, Token } from 'edge.js/types'
import { keyOf } from './template-key.ts'

/** Knows of each template whether its function returns a promise. */
export interface Waiting {
  /**
   * @param name Name of a template.
   * @returns Whether whoever renders it must wait.
   */
  waits(name: string): boolean
}

type Compile = TagContract['compile']

const AWAIT = /\bawait\b/

/**
 * Replaces the tags of edge.js that render other templates or loop. Those of edge.js wait for each template and each
 * turn of a loop, and find a template again each time. These wait only for what waits.
 *
 * @param edge Whose tags are replaced.
 * @param templates Which templates wait.
 */
export function replaceTags(edge: Edge, templates: Waiting): void {
  const waits = (tokens: readonly Token[]): boolean =>
    tokens.some((token) => needsAwait(token, edge, templates))
  replace(edge, 'include', (original) => (parser, buffer, token) => {
    const name = literalOf(token)
    if (name === undefined) return original(parser, buffer, token)
    const locals = [...new Set(parser.stack.list())]
    const call = `template.compiled(${JSON.stringify(keyOf(name, locals))})`
    const given = ['template', 'state', '$context', ...locals].join(', ')
    const prefix = parser.asyncMode && templates.waits(name) ? 'await ' : ''
    buffer.outputExpression(`${prefix}${call}(${given})`, token.filename, token.loc.start.line, false)
  })
  replace(edge, 'each', (original) => (parser, buffer, token) => {
    const isAsync = parser.asyncMode && waits(token.children)
    inMode(parser, isAsync, () => original(parser, buffer, token))
  })
  replace(edge, 'component', (original) => (parser, buffer, token) => {
    const name = literalOf(token)
    const isAwaited = parser.asyncMode && (name === undefined || templates.waits(name))
    const rewrite = (text: string): string => (isAwaited ? 'await ' : '') + text.replace(/^await /, '')
    rewriteOutput(buffer, rewrite, () =>
      inMode(parser, parser.asyncMode && waits(token.children), () => original(parser, buffer, token)),
    )
  })
}

/**
 * Tells whether the code of a token waits for something.
 *
 * @param token A token of a template.
 * @param edge Knows the tags.
 * @param templates Which templates wait.
 * @returns Whether the function around it must be asynchronous.
 */
export function needsAwait(token: Token, edge: Edge, templates: Waiting): boolean {
  if (!('properties' in token)) return false
  if (AWAIT.test(token.properties.jsArg)) return true
  if (!('children' in token)) return false
  const tag = transformed(token, edge)
  if (tag.properties.name === 'includeIf') return true
  if (rendersTemplate(tag)) {
    const name = literalOf(tag)
    return name === undefined || templates.waits(name)
  }
  return tag.children.some((child) => needsAwait(child, edge, templates))
}

/**
 * @param tag A tag, as {@link transformed} gives it.
 * @returns Whether its first argument is the name of a template.
 */
export function rendersTemplate(tag: TagToken): boolean {
  return tag.properties.name === 'include' || tag.properties.name === 'component'
}

/**
 * Names a tag as it is compiled: a component in the folder `components` has a tag of its own, which edge.js turns into
 * the general one.
 *
 * @param token A tag as it was read.
 * @param edge Knows the components.
 * @returns The tag as it is compiled.
 */
export function transformed(token: TagToken, edge: Edge): TagToken {
  const tag = { ...token, properties: { ...token.properties } }
  edge.processor.executeTag({ tag, path: token.filename })
  return tag
}

/**
 * Finds the name of the template that a tag renders.
 *
 * @param tag The tag.
 * @returns Its first argument, if it is written out.
 */
export function literalOf({ properties }: TagToken): string | undefined {
  const [, single, double] = /^\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*(?:,|$)/.exec(properties.jsArg) ?? []
  return single ?? double
}

function replace(edge: Edge, name: string, around: (original: Compile) => Compile): void {
  const tag = edge.tags[name]
  if (tag === undefined) throw new TypeError(`Cannot replace the tag @${name}: edge.js has none`)
  edge.registerTag({ ...tag, compile: around((...given) => tag.compile(...given)) })
}

function inMode(parser: ParserContract, isAsync: boolean, compile: () => void): void {
  const before = parser.asyncMode
  parser.asyncMode = isAsync
  compile()
  parser.asyncMode = before
}

function rewriteOutput(
  buffer: EdgeBufferContract,
  rewrite: (text: string) => string,
  compile: () => void,
): void {
  const write = buffer.outputExpression.bind(buffer)
  buffer.outputExpression = (text, ...place) => write(rewrite(text), ...place)
  compile()
  buffer.outputExpression = write
}
