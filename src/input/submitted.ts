import { whenReady } from '../core/internal.ts'
import { judgeInput } from './request-input.ts'
import type { SecretNames } from './secret-names.ts'
import { ShownForm } from './shown-form.ts'
import type { SchemaOutput, StandardSchema } from './standard-schema.ts'
import { type TypedFields, typedFields } from './typed-fields.ts'
import { Violation, type ViolationFields } from './violation.ts'

/** A form that the schema accepted. */
export class AcceptedForm<T> {
  /** Tells it from a refused form. */
  readonly ok = true
  /** What the schema made of the fields. */
  readonly value: T
  readonly #parts: ShownFormParts

  /**
   * @param value What the schema made of the fields.
   * @param parts What a refusal shows.
   */
  constructor(value: T, parts: ShownFormParts) {
    this.value = value
    this.#parts = parts
  }

  /** What a refusal shows. @internal */
  get parts(): ShownFormParts {
    return this.#parts
  }

  /**
   * Refuses the form for a reason that the schema cannot know, such as a name that is taken.
   *
   * @param violations What is wrong.
   * @returns The form to show again.
   */
  refuse(...violations: readonly ViolationFields[]): RefusedForm {
    return new RefusedForm(this.#parts, violations)
  }
}

/** A form that was refused, to be shown again. A template writes its fields with the methods of {@link ShownForm}. */
export class RefusedForm extends ShownForm {
  /** Tells it from an accepted form. */
  readonly ok = false
  readonly #parts: ShownFormParts

  /**
   * @param parts What was typed, and how messages are translated.
   * @param violations What is wrong.
   */
  constructor(parts: ShownFormParts, violations: readonly ViolationFields[]) {
    super(
      parts.typed,
      violations.map((violation) => (violation instanceof Violation ? violation : new Violation(violation))),
      parts.text,
    )
    this.#parts = parts
  }

  /**
   * Refuses the form for other reasons than the schema's: a sign-in page does not tell which field was wrong.
   *
   * @param violations What is said to be wrong, in place of {@link ShownForm.violations}.
   * @returns The form with these violations only.
   */
  refuse(...violations: readonly ViolationFields[]): RefusedForm {
    return new RefusedForm(this.#parts, violations)
  }
}

/**
 * What an action with `form(schema)` receives. `T` is the type of the schema, or that of its values.
 *
 * `{ ok: true, value }` or `{ ok: false, violations, typed }`.
 */
export type Submitted<T> = AcceptedForm<[T] extends [StandardSchema] ? SchemaOutput<T> : T> | RefusedForm

/** What a refused form needs beside its violations. */
export interface ShownFormParts {
  /** What was typed, without secrets. */
  readonly typed: TypedFields
  /** Translates a violation. */
  readonly text: (violation: Violation) => string
}

/** What validating a form needs from its application. */
export interface SubmitServices {
  /** Translates a violation. */
  readonly text: (violation: Violation) => string
  /** Reads the fields again, for a schema that modifies what it validates. */
  readonly again?: () => unknown
}

/** How a form is validated. */
export interface SubmitOptions extends SubmitServices {
  /** Names whose values are never shown again. */
  readonly secrets: SecretNames
}

/**
 * Validates the fields of a form, wherever they were read from.
 *
 * @param schema The application's schema.
 * @param fields The fields by name, usually of `fieldsOf()`.
 * @param options Secrets and translation.
 * @returns What the action receives; a promise of it when the schema is asynchronous, and with the first
 * refusal.
 * @throws {TypeError} If the result of the schema does not conform to Standard Schema.
 */
export function submitForm(
  schema: StandardSchema,
  fields: unknown,
  { secrets, text, again }: SubmitOptions,
): Submitted<unknown> | Promise<Submitted<unknown>> {
  // Before the schema runs: it may modify what it validates.
  const parts = { typed: typedFields(fields, secrets), text }
  return whenReady(judgeInput(schema, fields, { submitted: again, secrets }), (judged) =>
    judged.violations === null
      ? new AcceptedForm(judged.value, parts)
      : new RefusedForm(parts, judged.violations),
  )
}
