import { whenReady } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import type { RequestSource } from '../http/internal.ts'
import {
  type InputLimits,
  readInput,
  type SecretNames,
  submitForm,
  validateInput,
} from '../input/internal.ts'
import type { StandardSchema } from '../input/index.ts'
import type { Route } from '../routing/index.ts'
import { violationText, type ViolationTextServices } from './violation-text.ts'

/** What reading the argument of an action needs from its application. */
export interface ArgumentServices extends ViolationTextServices {
  /** Limits of what is parsed. */
  readonly limits: InputLimits
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
 * @throws {PayloadTooLargeException} If there are too many fields.
 */
export function actionArgument(
  route: Route,
  schema: StandardSchema,
  { context, services }: { readonly context: HttpContext; readonly services: ArgumentServices },
): unknown {
  const source = context.source()
  const { limits } = services
  const isBodiless = hasNoBody(source)
  const secrets = route.target.action.form
  return whenReady(isBodiless ? null : context.readForm(), (form) => {
    if (secrets === null) {
      const read = (): unknown => readInput({ source, query: context.query(), form, limits })
      return whenReady(read(), (value) => validateInput(schema, value, read))
    }
    return submit(
      schema,
      () => readInput({ source, query: isBodiless ? context.query() : '', form, limits }),
      {
        secrets,
        context,
        services,
      },
    )
  })
}

/**
 * @param source The request.
 * @returns Whether actions do not use its body.
 */
export function hasNoBody({ method }: RequestSource): boolean {
  return method === 'GET' || method === 'HEAD'
}

function submit(
  schema: StandardSchema,
  again: () => unknown,
  parts: {
    readonly secrets: SecretNames
    readonly context: HttpContext
    readonly services: ViolationTextServices
  },
): unknown {
  const { secrets, context, services } = parts
  return whenReady(again(), (fields) =>
    submitForm(schema, fields, {
      secrets,
      again,
      text: (violation) => violationText(violation, context, services),
    }),
  )
}
