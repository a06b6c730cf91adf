import type { Container } from '../container/internal.ts'
import { ContainerException } from '../container/index.ts'
import { HttpContext } from '../context/index.ts'
import { FetchSource } from '../http/internal.ts'
import type { ControllerClass } from '../routing/index.ts'
import type { Kernel } from './kernel.ts'

/** Says why a controller cannot be built for a request; null if it can. */
export type TrialBuild = (controller: ControllerClass) => string | null

// Has an object under every name: which ones a resolver binds is only known when it answers.
const ANY_BINDING: Readonly<Record<string, object>> = new Proxy(
  {},
  {
    get: () => ({}),
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: {} }),
  },
)

/**
 * Builds controllers as a request does, which is the only way to learn what their fields inject. Constructors of the
 * application run, and shared services are built that no request has needed yet.
 *
 * @param kernel Makes the context of the request, a GET of `/` without a session.
 * @param container Builds the controller.
 * @returns The trial. An exception of a constructor proves nothing: it may be about this request, or a database that is away.
 */
export function trialBuild(kernel: Kernel, container: Container): TrialBuild {
  return (controller) => {
    const source = new FetchSource(new Request('http://localhost/'), { bodyBytes: 0 })
    const values = new Map<unknown, object>([[HttpContext, kernel.contextOf(source)]])
    try {
      container.build(controller, { values, bindings: ANY_BINDING })
      return null
    } catch (error) {
      return error instanceof ContainerException ? error.message : null
    }
  }
}
