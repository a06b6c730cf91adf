import type { Container } from '../container/internal.ts'
import { sentence } from '../core/internal.ts'
import { ContainerException } from '../container/index.ts'
import type { FileStorage } from '../input/index.ts'
import { type Router, RoutingException } from '../routing/index.ts'
import { type Action, type RoutedModule } from '../routing/internal.ts'

/**
 * Checks that each action with files has a storage, whichever way it is reached.
 *
 * @param router The router.
 * @param container Shared services.
 * @throws {RoutingException} `invalid-parameter` if a storage is not registered.
 */
export function assertStorages(router: Router, container: Container): void {
  for (const module of router.model().modules)
    for (const action of actionsOf(module)) assertStorage(action, module, container)
}

function assertStorage({ label, upload }: Action, module: RoutedModule, container: Container): void {
  if (upload === null) return
  const { storage } = upload.rules
  const refused = (options?: ErrorOptions): RoutingException => {
    const mend = sentence`register one with definitions.set(${storage.name}, new DiskFileStorage({ … }))`
    const message = sentence`Cannot take files in ${label} of ${module.label}: there is no ${storage.name}; ${mend}`
    return new RoutingException('invalid-parameter', message, options)
  }
  try {
    const found: Partial<FileStorage> = container.get(storage)
    // At run time an abstract class can be built.
    if (typeof found.begin !== 'function') throw refused()
  } catch (cause) {
    if (!(cause instanceof ContainerException)) throw cause
    throw refused({ cause })
  }
}

function actionsOf(module: RoutedModule): readonly Action[] {
  const listed = module.actions()
  try {
    return [...listed, ...module.routes().map(({ target }) => target.action)]
  } catch {
    // A table that cannot be compiled is reported at its first use.
    return listed
  }
}
