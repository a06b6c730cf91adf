/**
 * Facts about a class that only its source reveals at run time. `Function.length` stops counting at the first default and is
 * 0 for a class that inherits its constructor, and `abstract` is erased.
 */

// A class of the platform or of an addon: its source is not JavaScript. Of a proxy, the same form has no name.
const NATIVE = /^function [^\s(]+\(.*\)\s*\{\s*\[native code\]\s*\}$/
// What can precede a regular expression; anywhere else a slash is a division.
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|void|delete|throw|new|else|do))\s*$/
const NOT_A_MEMBER = /(?:[.=+\-*/%&|?:,<>!~^([]|\b(?:static|get|set|async|new|await|yield))\s*$/

/** A class of the platform. */
export type NativeConstructor = new () => object

/**
 * Counts the required arguments of a class: constructor parameters without a default. A class without a constructor has
 * the one of the class that it extends.
 *
 * @param type A class.
 * @returns Their number; `Function.length` when the source cannot be read.
 */
export function requiredArguments(type: unknown): number {
  for (let each = type; isClassLike(each); each = Object.getPrototypeOf(each)) {
    const source = Function.prototype.toString.call(each)
    // Most controllers have no constructor, so their source need not be parsed.
    if (/^class\b/.test(source) && !source.includes('constructor')) continue
    const body = bodyOf(each)
    if (body === null) return each.length
    const parameters = parametersOf(body)
    if (parameters !== null) return parameters.filter(isRequired).length
  }
  return 0
}

/**
 * Finds the class of the platform whose constructor receives the arguments of a class: the class itself, or one that it
 * extends without a constructor of its own. Such a constructor does not say how many arguments it requires.
 *
 * @param type A class.
 * @returns The class of the platform; null when a constructor of the application receives the arguments.
 */
export function nativeConstructor(type: unknown): NativeConstructor | null {
  const chain: unknown[] = []
  for (let each = type; isClassLike(each); each = Object.getPrototypeOf(each)) {
    if (NATIVE.test(Function.prototype.toString.call(each)))
      return chain.every(inheritsConstructor) ? (each as unknown as NativeConstructor) : null
    chain.push(each)
  }
  return null
}

/**
 * Recognizes what remains of an abstract class at run time: a body of blanks and comments. An abstract class with members
 * looks like any other class. `class Marker {}`, written on one line, is empty on purpose.
 *
 * @param type A class.
 * @returns Whether it and all classes that it extends have no members, and it was not written as `{}`.
 */
export function isEmptyShell(type: unknown): boolean {
  let isLeftOver = false
  for (let each = type; isClassLike(each); each = Object.getPrototypeOf(each)) {
    const body = bodyOf(each)
    if (body === null || body.trim() !== '') return false
    if (!Function.prototype.toString.call(each).endsWith('{}')) isLeftOver = true
  }
  return isLeftOver
}

function inheritsConstructor(type: unknown): boolean {
  const body = bodyOf(type)
  return body !== null && parametersOf(body) === null
}

function isClassLike(value: unknown): value is { readonly length: number } {
  return typeof value === 'function' && value !== Function.prototype
}

// The class body without comments, strings and regular expressions; null when the source is not a class or unreadable.
function bodyOf(type: unknown): string | null {
  const source = Function.prototype.toString.call(type)
  if (!/^class\b/.test(source)) return null
  const skeleton = skeletonOf(source).trimEnd()
  // The `extends` clause may contain brackets: the body is what ends the source.
  for (let i = 0; i < skeleton.length; i++) {
    if (!'({['.includes(skeleton.charAt(i))) continue
    const end = closingOf(skeleton, i)
    if (end === -1) return null
    if (end === skeleton.length - 1) return skeleton.slice(i + 1, end)
    i = end
  }
  return null
}

function parametersOf(body: string): string[] | null {
  let depth = 0
  for (let i = 0; i < body.length; i++) {
    const character = body.charAt(i)
    if ('({['.includes(character)) depth++
    else if (')}]'.includes(character)) depth--
    else if (
      depth === 0 &&
      /^constructor\s*\(/.test(body.slice(i, i + 200)) &&
      !/[\w$#]$/.test(body.slice(0, i))
    ) {
      const open = body.indexOf('(', i)
      const end = closingOf(body, open)
      if (end === -1 || NOT_A_MEMBER.test(body.slice(0, i))) continue
      if (/^\s*\{/.test(body.slice(end + 1))) return splitAtCommas(body.slice(open + 1, end))
    }
  }
  return null
}

function isRequired(parameter: string): boolean {
  const text = parameter.trim()
  if (text === '' || text.startsWith('...')) return false
  let depth = 0
  for (const character of text) {
    if ('({['.includes(character)) depth++
    else if (')}]'.includes(character)) depth--
    else if (character === '=' && depth === 0) return false
  }
  return true
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let [depth, start] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if ('({['.includes(character)) depth++
    else if (')}]'.includes(character)) depth--
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, text.slice(start)]
}

function closingOf(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    if ('({['.includes(text.charAt(i))) depth++
    else if (')}]'.includes(text.charAt(i)) && --depth === 0) return i
  }
  return -1
}

// The source without anything that could contain a bracket or keyword by chance: comments, strings, templates, expressions.
function skeletonOf(source: string): string {
  let out = ''
  let i = 0
  // Brace depth at which each open template continues.
  const templates: number[] = []
  let depth = 0
  while (i < source.length) {
    const character = source.charAt(i)
    const two = source.slice(i, i + 2)
    if (two === '//') i = after(source, '\n', i)
    else if (two === '/*') i = after(source, '*/', i + 2)
    else if (character === "'" || character === '"') {
      i = endOfText(source, i, character)
      out += 'x'
    } else if (character === '`' || (character === '}' && templates.at(-1) === depth)) {
      if (character === '}') {
        templates.pop()
        out += ')'
      }
      i = endOfText(source, i, '`')
      if (source.charAt(i - 1) === '{') {
        templates.push(depth)
        out += 'x('
      } else out += 'x'
    } else if (character === '/' && BEFORE_EXPRESSION.test(out.slice(-20))) {
      i = endOfExpression(source, i)
      out += 'x'
    } else {
      if (character === '{') depth++
      if (character === '}') depth--
      out += character
      i++
    }
  }
  return out
}

function after(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from)
  return at === -1 ? source.length : at + mark.length
}

// Position after a string, or after `${` in a template.
function endOfText(source: string, start: number, quote: string): number {
  for (let i = start + 1; i < source.length; i++) {
    if (source.charAt(i) === '\\') i++
    else if (source.charAt(i) === quote) return i + 1
    else if (quote === '`' && source.startsWith('${', i)) return i + 2
  }
  return source.length
}

function endOfExpression(source: string, start: number): number {
  let inClass = false
  for (let i = start + 1; i < source.length; i++) {
    const character = source.charAt(i)
    if (character === '\\') i++
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) return i + 1
  }
  return source.length
}
