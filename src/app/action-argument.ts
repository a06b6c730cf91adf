import { sentence, whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { assertBodyType, type InputLimits, readInput, validateInput } from '../input/internal.ts'
import type { Form, StandardSchema, Submitted, Violation } from '../input/index.ts'
import type { Route } from '../routing/index.ts'
import { hasNoBody } from './has-no-body.ts'
import { violationText, type ViolationTextServices } from './violation-text.ts'

/** What reading the argument of an action needs from its application. */
export interface ArgumentServices extends ViolationTextServices {
  /** Limits of what is parsed. */
  readonly limits: InputLimits
}

/** A request whose argument is read. */
export interface ArgumentRequest {
  /** Its context. */
  readonly context: HttpContext
  /** The services. */
  readonly services: ArgumentServices
}

/**
 * Reads what the action takes from query and body. With `form(schema)` a form that the schema refuses is an argument like
 * any other. With `input(schema)` it is an exception.
 *
 * @param route The route.
 * @param schema Schema of the action.
 * @param request The context of the request, and the services.
 * @returns The argument; a promise of it unless the body is available and the schema synchronous.
 * @throws {ValidationException} If the schema refuses an input that is not a form.
 * @throws {InputException} If the body cannot be read.
 * @throws {UnsupportedMediaTypeException} If the body is of a type that the action does not take.
 * @throws {PayloadTooLargeException} If there are too many fields.
 */
export function actionArgument(route: Route, schema: StandardSchema, request: ArgumentRequest): unknown {
  const { context, services } = request
  const source = context.source()
  const { bodyTypes: types, form: takesForm } = route.target.action
  const isEmpty = hasNoBody(source)
  if (types !== null && !isEmpty) assertBodyType(source, types)
  return whenReady(isEmpty ? null : context.readForm(), (form) => {
    if (takesForm !== null) return submitted(route, form, request)
    const parts = { source, query: context.query(), form, limits: services.limits, types }
    const read = (): unknown => readInput(parts)
    return whenReady(read(), (value) => validateInput(schema, value, read))
  })
}

/**
 * Validates a form that the action receives, valid or not. For GET its fields come from the query, otherwise from the body.
 *
 * @param route The route, whose action takes a form.
 * @param form The form; null when the body is something else.
 * @param request The context of the request, and the services.
 * @returns The argument; a promise of it unless the body is available and the schema synchronous.
 * @throws {InputException} If the body cannot be read.
 */
export function submitted(
  route: Route,
  form: Form | null,
  { context, services }: ArgumentRequest,
): Submitted<unknown> | Promise<Submitted<unknown>> {
  const { form: parameter } = route.target.action
  if (parameter === null) throw new TypeError(sentence`Cannot submit a form to an action without one`)
  const source = context.source()
  const query = hasNoBody(source) ? context.query() : ''
  const again = (): unknown => readInput({ source, query, form, limits: services.limits })
  const text = (violation: Violation): string => violationText(violation, context, services)
  // The action asks the form for its messages, and does not wait for them.
  return whenReady(services.messages.ready(), () =>
    whenReady(again(), (fields) => parameter.submit(fields, { again, text })),
  )
}
