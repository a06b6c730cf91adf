import { METHODS } from 'node:http'

const PARSED: ReadonlySet<string> = new Set(METHODS)

/**
 * @param method A method, in upper case.
 * @returns Whether Node's parser knows it: a request with any other is a 400 of the socket, whatever the application declares.
 */
export function isParsedMethod(method: string): boolean {
  return PARSED.has(method)
}
