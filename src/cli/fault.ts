import { inOneLine, placeAbove, placeOf, shown, tellsPlace, withPlace } from '../core/internal.ts'
import { SallyportException } from '../core/index.ts'

const MAX_CAUSES = 3

/**
 * Describes in one line what an application threw, and where.
 *
 * @param error What it threw.
 * @returns For an error of the framework its message, for any other error its class, message and place. Its causes follow,
 * unless the message quotes them.
 */
export function faultOf(error: unknown): string {
  try {
    return inOneLine(describe(error))
  } catch {
    // It cannot be inspected, or its message is not a string.
    return `it threw ${shown(error)}`
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${shown(error)}`
  let said = sentenceOf(error)
  let { cause } = error
  for (let left = MAX_CAUSES; left > 0 && cause instanceof Error; left--) {
    if (!said.includes(messageOf(cause))) said += `: ${sentenceOf(cause)}`
    cause = cause.cause
  }
  return said
}

function sentenceOf(error: Error): string {
  const message = messageOf(error)
  if (error instanceof SallyportException || tellsPlace(error)) return message
  const name = /^(?:Aggregate)?Error$/.test(error.name) ? '' : `${error.name}: `
  const place = (error instanceof SyntaxError ? placeAbove(error) : undefined) ?? placeOf(error)
  return `${name}${withPlace(message, place)}`
}

function messageOf(error: Error): string {
  // When every address of a host refuses the connection, only the inner errors have a message.
  if (error.message === '' && error instanceof AggregateError)
    return error.errors.map((each) => (each instanceof Error ? messageOf(each) : shown(each))).join('; ')
  // Its message joins those of the inner errors.
  const [first = ''] = error instanceof AggregateError ? [error.message] : error.message.split('\n')
  return inOneLine(first)
}
