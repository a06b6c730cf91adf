import type { HttpContext } from '../context/index.ts'
import type { Translator } from '../i18n/index.ts'
import type { Violation } from '../input/index.ts'

/** What translates violations. */
export interface ViolationTextServices {
  /** The catalogue of the application. */
  readonly translator: Translator
  /** Receives the error of a message that cannot be formatted. */
  readonly report: (error: unknown, context: HttpContext) => void
}

/**
 * @param violation The violation.
 * @param context Context of the request, for its language.
 * @param services Catalogue and reports.
 * @returns Its message: of the catalogue, else its fallback.
 */
export function violationText(
  { messageId, domain, fallback, parameters }: Violation,
  context: HttpContext,
  { translator, report }: ViolationTextServices,
): string {
  try {
    const values = parameters && { values: parameters }
    return translator.translate(context.locale(), { id: messageId, domain, fallback, ...values })
  } catch (failure) {
    report(failure, context)
    return fallback
  }
}
