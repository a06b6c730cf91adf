import type { Json } from '../core/index.ts'
import { assertOptions, escapeHtml, SafeHtml, shown } from '../core/internal.ts'
import { fieldName } from './form-fields.ts'
import type { TypedFields } from './typed-fields.ts'
import type { Violation } from './violation.ts'

/** How a field is written. */
export interface FieldOptions {
  /**
   * Value of a checkbox, a radio button or a button: it is `checked` when it was chosen. null: write no value, for a
   * select and a text area. Default: what was typed.
   */
  readonly value?: string | null
  /**
   * Id of the element. Default: the name, in which other characters than letters, digits, `_` and `-` become `-`, and for
   * a choice `-` and its value.
   */
  readonly id?: string
  /** Ids of elements that describe the field, such as a hint. Default: none. */
  readonly describedBy?: string
  /** Whether the field is wrong. Default: whether there is a message about it. */
  readonly invalid?: boolean
}

/** A form as a page shows it: what was typed, and the messages. */
export class ShownForm {
  /** What was typed, without secrets and files. It has no prototype. */
  readonly typed: TypedFields
  /** What is wrong; empty for a form that was not submitted. */
  readonly violations: readonly Violation[]
  readonly #text: (violation: Violation) => string

  /**
   * @param typed What was typed, without secrets.
   * @param violations What is wrong. Default: nothing.
   * @param text Translates a violation. Default: its fallback.
   */
  constructor(
    typed: TypedFields,
    violations: readonly Violation[] = [],
    text: (violation: Violation) => string = ({ fallback }) => fallback,
  ) {
    this.typed = typed
    this.violations = Object.freeze([...violations])
    this.#text = text
  }

  /**
   * @param name Name of a field.
   * @returns What was typed there, the first value of several; empty when nothing was.
   */
  value(name: string): string {
    return this.values(name)[0] ?? ''
  }

  /**
   * @param name Name of a field.
   * @returns All values of the field.
   */
  values(name: string): readonly string[] {
    const field = fieldName(name)
    if (!Object.hasOwn(this.typed, field)) return []
    const given = this.typed[field]
    return (Array.isArray(given) ? given : [given]).filter(isScalar).map(String)
  }

  /**
   * @param name Name of a field.
   * @param value One of its choices.
   * @returns Whether it was chosen.
   */
  has(name: string, value: string): boolean {
    return this.values(name).includes(value)
  }

  /**
   * @param name Name of a field; null for the form as a whole. Default: null.
   * @returns The first message about it, in the language of the request; empty when there is none.
   */
  error(name: string | null = null): string {
    return this.errors(name)[0] ?? ''
  }

  /**
   * @param name Name of a field; null for the form as a whole. Default: null.
   * @returns All messages about it, in the language of the request.
   */
  errors(name: string | null = null): readonly string[] {
    const concerns = name === null ? isWhole : isOf(fieldName(name))
    return this.violations.filter(concerns).map((violation) => this.#text(violation))
  }

  /**
   * The attributes of the element of a field: `name`, `id` and `value`, and for a wrong one `aria-invalid` and
   * `aria-describedby`, which names the element of {@link message}.
   *
   * @param name Name of the field.
   * @param options `value`, `id`, `describedBy` and `invalid`.
   * @returns The attributes, escaped.
   * @throws {TypeError} If an option is unknown.
   */
  attributes(name: string, options: FieldOptions = {}): SafeHtml {
    assertOptions(options, ['value', 'id', 'describedBy', 'invalid'], `attributes(${shown(name)})`)
    const { value, describedBy = '' } = options
    const typed = value === undefined ? this.value(name) || null : value
    const isChoice = typeof value === 'string'
    const { id = isChoice ? `${idOf(name)}-${idOf(value)}` : idOf(name) } = options
    const hasMessage = this.error(name) !== ''
    const { invalid = hasMessage } = options
    // The choices of a field share its message. Ids of elements that do not exist are ignored.
    const messages = new Set([errorId(options.id ?? idOf(name)), ...(isChoice ? [errorId(idOf(name))] : [])])
    const described = [describedBy, ...(hasMessage ? messages : [])].filter((part) => part !== '').join(' ')
    const attributes = [
      attribute('name', name),
      attribute('id', id),
      typed === null ? '' : attribute('value', typed),
      isChoice && this.has(name, value) ? 'checked' : '',
      invalid ? attribute('aria-invalid', 'true') : '',
      described === '' ? '' : attribute('aria-describedby', described),
    ]
    return new SafeHtml(attributes.filter((part) => part !== '').join(' '))
  }

  /**
   * The element with the message of a field, to which {@link attributes} refers: `<p class="error" id="email-error">`.
   * The message about the form as a whole has `role="alert"` too, because no field refers to it.
   *
   * @param name Name of the field; null for the form as a whole. Default: null.
   * @param options `id` as it is given to {@link attributes}. Default without a name: `form`.
   * @returns The element; nothing when there is no message.
   * @throws {TypeError} If an option is unknown.
   */
  message(name: string | null = null, options: Pick<FieldOptions, 'id'> = {}): SafeHtml {
    assertOptions(options, ['id'], `message(${name === null ? '' : shown(name)})`)
    const text = this.error(name)
    if (text === '') return new SafeHtml('')
    const id = attribute('id', errorId(options.id ?? idOf(name ?? 'form')))
    // A field with a message names it by `aria-describedby`. Several alerts would be read at once.
    const role = name === null ? ' role="alert"' : ''
    return new SafeHtml(`<p class="error" ${id}${role}>${escapeHtml(text)}</p>`)
  }
}

/**
 * Makes the form as a page shows it before it is submitted.
 *
 * @param values What the fields hold at first, by name. Default: nothing.
 * @returns The form.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { blankForm } from 'sallyport/input'
 *
 * const form = blankForm({ quantity: 1 })
 *
 * assert.equal(`<input ${form.attributes('quantity')}>`, '<input name="quantity" id="quantity" value="1">')
 * ```
 */
export function blankForm(values: Readonly<Record<string, Json>> = {}): ShownForm {
  const own: TypedFields = { __proto__: null, ...values }
  return new ShownForm(Object.freeze(own))
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

// No page has a field that the schema does not know.
function isWhole({ field, messageId }: Violation): boolean {
  return field === null || messageId === 'unknown_field'
}

// A message about an element of a list stands beside the field of the list.
function isOf(name: string): (violation: Violation) => boolean {
  return ({ field }) => field === name || (field !== null && field.startsWith(`${name}.`))
}

function idOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|(?<!-)-+$/g, '')
}

function errorId(id: string): string {
  return `${id}-error`
}

function attribute(name: string, value: string): string {
  return `${name}="${escapeHtml(value)}"`
}
