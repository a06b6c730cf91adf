import { placeAbove, placeOf, SallyportException, shown } from '../core/index.ts'

/**
 * Says in one line what an application threw, and where.
 *
 * @param error What it threw.
 * @returns The message of a fault that the framework found; of any other one its class, message and place.
 */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${shown(error)}`
  const [message = ''] = error.message.split('\n')
  if (error instanceof SallyportException || /\(\S+:\d+\)$/.test(message)) return message
  const place = (error instanceof SyntaxError ? placeAbove(error) : undefined) ?? placeOf(error)
  return `${error.name === 'Error' ? '' : `${error.name}: `}${message}${place === undefined ? '' : ` (${place})`}`
}
