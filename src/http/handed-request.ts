import { ignoreFailure } from '../core/internal.ts'

type Reading = 'arrayBuffer' | 'blob' | 'bytes' | 'formData' | 'json' | 'text'

const READINGS: readonly Reading[] = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']

const MEMBERS: PropertyDescriptorMap = {
  clone: member(function clone(this: Request) {
    return handedOut(methodsOf(this).clone.call(this))
  }),
}
for (const name of READINGS) {
  MEMBERS[name] = member(function read(this: Request) {
    return ignoreFailure(methodsOf(this)[name].call(this))
  })
}

/**
 * Prepares a request for the application. A promise of the platform that the client can make fail, such as that of
 * `json()`, no longer ends the process when it is awaited late or never. The same holds for clones of the request.
 *
 * @param request A request that the framework created.
 * @returns The same request.
 */
export function handedOut(request: Request): Request {
  return Object.defineProperties(request, MEMBERS)
}

function methodsOf(request: Request): Request {
  return Object.getPrototypeOf(request) as Request
}

function member(value: (this: Request) => unknown): PropertyDescriptor {
  return { value, configurable: true, writable: true }
}
