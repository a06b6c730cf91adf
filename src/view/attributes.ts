import { type Edge, Template } from 'edge.js'
import { escapeHtml, SafeHtml } from '../core/internal.ts'

type Props = ReturnType<Template['getComponentState']>['$props']

const ESCAPES = Symbol.for('sallyport.escapes')
const NAME = /^[^\s"'<>/=]+$/

/**
 * Makes `html.attrs()` and `$props.toAttrs()` escape what they write: those of edge.js write values as they are, so that a
 * quotation mark of a user would end the attribute.
 *
 * @param edge An engine, whose helpers are replaced by ones that escape.
 */
export function escapeAttributes(edge: Edge): void {
  const template = new Template(edge.asyncCompiler, {}, {}, edge.processor)
  const propsOf = (values: Record<string, unknown>): Props =>
    template.getComponentState(values, {}, { filename: '', line: 1, col: 1 }).$props
  // All of edge.js share it, and the class itself is not exported.
  const prototype = Reflect.getPrototypeOf(propsOf({})) ?? {}
  const write: unknown = Reflect.get(prototype, 'toAttrs')
  if (typeof write !== 'function') throw new TypeError('Cannot escape attributes: edge.js has no toAttrs()')
  if (Reflect.has(write, ESCAPES)) return
  const escaping = function (this: Props): unknown {
    const values: unknown = this.all()
    return Reflect.apply(write, propsOf(escapedValues(Object(values) as object)), [])
  }
  Reflect.defineProperty(prototype, 'toAttrs', {
    value: Object.assign(escaping, { [ESCAPES]: true }),
    configurable: true,
    writable: true,
  })
}

/**
 * Escapes values that become attributes.
 *
 * @param values Values by the name of the attribute.
 * @returns The same, escaped, without names that would be more than a name.
 */
export function escapedValues(values: object): Record<string, unknown> {
  const entries = Object.entries(values).filter(([name]) => NAME.test(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, escaped(value)]))
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeHtml(value)
  if (value instanceof SafeHtml) return value.toString()
  if (Array.isArray(value)) return value.map(escaped)
  // Classes by name, or attributes of Alpine.
  if (Object.prototype.toString.call(value) === '[object Object]')
    return Object.fromEntries(
      Object.entries(Object(value) as object).map(([name, each]) => [escapeHtml(name), escaped(each)]),
    )
  return value
}
