import type { HttpContext } from '../context/index.ts'
import type { Violation } from '../input/index.ts'
import type { Messages } from './messages.ts'

/** What translates violations. */
export interface ViolationTextServices {
  /** The catalogue of the application. */
  readonly messages: Messages
  /** Receives the error of a message that cannot be formatted. */
  readonly report: (error: unknown, context: HttpContext) => void
}

const POSITIONS = /\.\d+(?=\.|$)/g

/**
 * Translates a violation. The catalogue is asked for the message of this field (`password.too_short`), for the message
 * itself (`too_short`) and for the code of the library (`min_length`).
 *
 * @param violation The violation.
 * @param context Context of the request, for its language.
 * @param services Catalogue and reports.
 * @returns Its message: of the catalogue, else its fallback.
 */
export function violationText(
  violation: Violation,
  context: HttpContext,
  { messages, report }: ViolationTextServices,
): string {
  const { field, code, messageId, domain, fallback, parameters } = violation
  const { translator } = messages
  // Only a fault that nothing could wait for: its page is made at once.
  if (translator === null) return fallback
  const locale = context.locale()
  const ids = [`${(field ?? '').replaceAll(POSITIONS, '')}.${messageId}`, messageId, code]
  try {
    const id = ids.find((known) => translator.has(locale, { id: known, domain })) ?? messageId
    const values = parameters && { values: parameters }
    return translator.translate(locale, { id, domain, fallback, ...values })
  } catch (failure) {
    report(failure, context)
    return fallback
  }
}
