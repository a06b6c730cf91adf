import type { StandardSchema, Submitted } from '../../input/index.ts'
import {
  type acceptUpload,
  type FormOptions,
  type readUpload,
  SecretNames,
  submitForm,
  type SubmitServices,
  type UploadRules,
} from '../../input/internal.ts'

/** How the files of a form are read; given by the declaration, so that only applications with uploads load it. */
export interface UploadPlan {
  /** What is taken. */
  readonly rules: UploadRules
  /** Reads the form. */
  readonly read: typeof readUpload
  /** Makes the argument of the action. */
  readonly accept: typeof acceptUpload
}

/** The one parameter of an action that is filled from a form, valid or not. Made by {@link form}. */
export class FormParameter<T = unknown> {
  /** Tells it from the parameters that are filled from the URL. */
  readonly role = 'form'
  /** The schema that judges the form. */
  readonly schema: StandardSchema
  /** Which of its fields are never shown again. */
  readonly secrets: SecretNames
  /** How its files are read; null when it has none. */
  readonly upload: UploadPlan | null
  /** The type of the argument; there is no value. */
  declare readonly argument?: T

  /**
   * @param schema Any Standard Schema.
   * @param options Which of its fields are secret. Default: those whose name says so.
   * @param upload How its files are read. Default: it has none.
   * @throws {TypeError} If an option is unknown, or not a list of names.
   */
  constructor(schema: StandardSchema, options: FormOptions = {}, upload: UploadPlan | null = null) {
    this.schema = schema
    this.secrets = new SecretNames(options)
    this.upload = upload
    Object.freeze(this)
  }

  /**
   * @param fields The fields by name.
   * @param services Translation, and how the fields are read again.
   * @returns The argument of the action; a promise of it when the schema is asynchronous, and with
   * the first refusal.
   * @throws {TypeError} If the result of the schema does not conform to Standard Schema.
   * @internal
   */
  submit(fields: unknown, services: SubmitServices): Submitted<unknown> | Promise<Submitted<unknown>> {
    return submitForm(this.schema, fields, { ...services, secrets: this.secrets })
  }
}

/**
 * The parameter that an action takes from a submitted form, last in its signature and at most once. A form that the schema
 * refuses reaches the action too, which shows it again. Fields come from the body; for GET from the query.
 *
 * @param schema Any Standard Schema.
 * @param options `secret`: fields that are never shown again, in addition to those whose name contains the word
 * `password`, `code` or `token`. `shown`: fields that are no secret although their name has such a word.
 * @returns The parameter; the action receives `Submitted<typeof schema>`.
 * @throws {TypeError} If an option is unknown, or not a list of names.
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import type { Submitted } from 'sallyport/input'
 * import { type Actions, form } from 'sallyport/routing'
 * import { TestClient } from 'sallyport/testing'
 * import { z } from 'zod'
 *
 * const SignUp = z.object({ email: z.email(), password: z.string().min(12), pin: z.string() })
 *
 * class SignUpController extends Controller {
 *   static readonly actions = {
 *     indexPost: [form(SignUp, { secret: ['pin'] })],
 *   } satisfies Actions<SignUpController>
 *
 *   indexPost(form: Submitted<typeof SignUp>) {
 *     if (!form.ok) return this.json({ typed: form.typed, wrong: form.violations.map(({ field }) => field) }, 422)
 *     return { welcome: form.value.email }
 *   }
 * }
 * const client = new TestClient(
 *   App.default().modules(defineModule('Site', (module) => module.controllers(SignUpController))),
 * )
 *
 * const refused = await client.post('/site/sign-up', {
 *   form: { email: 'ada@example.com', password: 'short', pin: '1234' },
 * })
 * assert.deepEqual(await refused.json(), { typed: { email: 'ada@example.com' }, wrong: ['password'] })
 * ```
 */
export function form<S extends StandardSchema>(
  schema: S,
  options: FormOptions = {},
): FormParameter<Submitted<S>> {
  return new FormParameter(schema, options)
}
