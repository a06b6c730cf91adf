import {
  assertCallback,
  assertNoPromise,
  assertOptions,
  callSite,
  declarationError,
  ignoreFailure,
  sentence,
  shown,
} from '../../core/internal.ts'
import { LinearExpression } from '../expression/linear-expression.ts'
import { ParameterType } from './parameter-type.ts'
import { faultOfTypeText } from './type-text.ts'

/** What a type of parameters is made of. */
export interface ParameterTypeParts<T> {
  /** What messages and lists call it: `uuid`. */
  readonly name: string
  /**
   * A regular expression that each text of the type matches as a whole; without look-around and back-references, and
   * without flags but `u` and `v`. A text that does not match is never parsed.
   */
  readonly pattern: string | RegExp
  /**
   * Reads a text that matches the pattern. Undefined, or an exception, says that it does not fit after all. Its value is
   * needed at once, so a promise is refused with a `RoutingException` that names parameter and route. It reads a text the same
   * way each time: `url()` keeps what it found out about a route.
   */
  readonly parse: (text: string) => T | undefined
  /**
   * Writes a value as the one text that `parse` reads as that value, at once as well. Default: `String`. What `url()` is given
   * as a string is the text of a value where values are no strings; where they are, it is the value if `format` can write it.
   */
  readonly format?: (value: T) => string
  /**
   * The type of a value as TypeScript writes it, for the file of `sallyport routes --types`, in at most 10,000 characters. One
   * with a comment, a template, a backslash or `=`, or with `;`, `,`, `:` or `?` outside of brackets, is exported under a
   * name: `import('./day.ts').Day`, with the path as seen from that file. Default: `unknown`.
   */
  readonly typescript?: string
  /**
   * Texts of the type. `sallyport check` tries them beside what it finds by the pattern, which `parse` may refuse.
   * Default: none.
   */
  readonly examples?: readonly string[]
}

const PARTS = ['name', 'pattern', 'parse', 'format', 'typescript', 'examples']
const NAME = /^[A-Za-z][A-Za-z0-9 _-]*$/
const TYPE_RULE =
  'write names, literals, "|", "&", lists and { name: type }, or name an exported type: ' +
  "import('./day.ts').Day"

/**
 * Makes a type of parameters of the application's own. It works wherever a built-in one does: in tables and by
 * convention, in generated URLs and in `sallyport check`.
 *
 * @param parts Name, pattern, `parse`, `format`, how TypeScript writes the type, and examples.
 * @returns The type, for `param.of(type, name)`.
 * @throws {TypeError} If a part is missing or wrong.
 */
export function parameterType<T>(parts: ParameterTypeParts<T>): ParameterType<T> {
  assertOptions(parts, PARTS, 'parameterType()')
  const { name, parse, format = String, typescript = 'unknown', examples = [] } = parts
  if (typeof name !== 'string' || !NAME.test(name))
    throw declarationError(
      sentence`Cannot make a parameter type called ${shown(name)}: use letters and digits`,
    )
  const tryParse = guarded(parse, `parse the parameter type "${name}"`)
  const spell = guarded(format, `format the parameter type "${name}"`)
  assertTypeText(name, typescript)
  if (!Array.isArray(examples))
    throw refuse(name, sentence`with the examples ${shown(examples)}: pass a list`)
  const expression = compilePattern(name, parts.pattern)
  const read = (text: string): T | undefined => (expression.test(text) ? tryParse(text) : undefined)
  const wrong = examples.findIndex((each: unknown) => typeof each !== 'string' || read(each) === undefined)
  if (wrong !== -1)
    throw declarationError(
      sentence`Cannot make the parameter type "${name}": ${shown(examples[wrong])} does not fit, so it is not an example`,
    )
  const judged = {
    name,
    pattern: expression.source,
    typescript: withText(typescript),
    isExact: false,
    examples,
  }
  const calls = { read, spell }
  return new ParameterType(judged, read, (value) => write(value, calls))
}

/** The functions of a type of the application's own, as they are called. */
interface Calls<T> {
  readonly read: (text: string) => T | undefined
  readonly spell: (value: T) => unknown
}

// Whatever is thrown says no, a promise too: Temporal, BigInt and URL throw for most that they cannot read.
function guarded<A, R>(run: (given: A) => R, what: string): (given: A) => R | undefined {
  assertCallback(run, what)
  const place = callSite()
  return (given) => {
    let answer: R
    try {
      answer = run(given)
    } catch (thrown) {
      if (thrown instanceof Promise) void ignoreFailure(thrown)
      return undefined
    }
    // A promise would be a value that fits every text, and its rejection would end the process.
    assertNoPromise(answer, what, place)
    return answer
  }
}

// A text stands for the value that it is read as: templates and defaults have no other. A `format` that takes strings for
// something else, as `Number(value)` does, would write another value; only where values are strings it wrote this one.
function write<T>(value: unknown, calls: Calls<T>): string | undefined {
  const text = writeValue(value as T, calls)
  if (typeof value !== 'string' || (text !== undefined && typeof calls.read(text) === 'string')) return text
  const parsed = calls.read(value)
  return parsed === undefined ? text : writeValue(parsed, calls)
}

// What is not written the same way again would be another URL the next time.
function writeValue<T>(value: T, { read, spell }: Calls<T>): string | undefined {
  const text = spell(value)
  const parsed = typeof text === 'string' && text.isWellFormed() ? read(text) : undefined
  return parsed !== undefined && spell(parsed) === text ? String(text) : undefined
}

function assertTypeText(name: string, typescript: unknown): void {
  const fault = typeof typescript === 'string' ? faultOfTypeText(typescript) : ''
  if (fault === null) return
  throw refuse(name, sentence`with the type ${shown(typescript)}${fault}: ${TYPE_RULE}`)
}

function refuse(name: string, reason: string, options?: ErrorOptions): Error {
  return declarationError(sentence`Cannot make the parameter type "${name}" ${reason}`, TypeError, options)
}

// A URL takes the text of a value too, and without the file of the types nothing else. No string in a type has a line break.
function withText(typescript: string): string {
  const type = typescript.trim().replaceAll(/[\t\r\n][ \t\r\n]*/g, ' ')
  return ['any', 'string', 'unknown'].includes(type) ? type : `${type} | string`
}

function compilePattern(name: string, pattern: string | RegExp): LinearExpression {
  const source: unknown = pattern instanceof RegExp ? pattern.source : pattern
  const flags = pattern instanceof RegExp ? pattern.flags : ''
  if (typeof source !== 'string' || /[^uv]/.test(flags))
    throw refuse(name, sentence`with the pattern ${shown(pattern)}: pass a regular expression without flags`)
  try {
    return new LinearExpression(source)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw refuse(name, sentence`with the pattern ${shown(source)}: ${reason}`, { cause })
  }
}
