/**
 * @param target The target of a request: path and query.
 * @returns Its path, as sent.
 */
export function pathOf(target: string): string {
  const question = target.indexOf('?')
  return question === -1 ? target : target.slice(0, question)
}

/**
 * @param target The target of a request: path and query.
 * @returns Its query, without the question mark.
 */
export function queryOf(target: string): string {
  const question = target.indexOf('?')
  return question === -1 ? '' : target.slice(question + 1)
}
