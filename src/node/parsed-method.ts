import { METHODS } from 'node:http'

const PARSED: ReadonlySet<string> = new Set(METHODS)

/**
 * @param method A method, in upper case.
 * @returns Whether Node's parser knows it. Requests with any other method get a 400, whatever the application declares.
 */
export function isParsedMethod(method: string): boolean {
  return PARSED.has(method)
}
