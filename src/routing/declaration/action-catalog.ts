import type { Action } from './action.ts'
import type { ControllerClass } from './controller-class.ts'
import { readActions } from './controller-actions.ts'
import { RoutingException } from '../routing-exception.ts'

/** The actions of all controllers of an application, each read once. */
export class ActionCatalog {
  readonly #read = new Map<ControllerClass, ReadonlyMap<string, Action>>()
  readonly #isBuildable: (controller: ControllerClass) => boolean
  readonly #helpers: readonly object[]

  /**
   * @param isBuildable Whether a controller can be built as requests have it built. Default: each can.
   * @param helpers Prototypes whose methods serve controllers and are never actions. Default: none.
   */
  constructor(
    isBuildable: (controller: ControllerClass) => boolean = () => true,
    helpers: readonly object[] = [],
  ) {
    this.#isBuildable = isBuildable
    this.#helpers = helpers
  }

  /**
   * @returns Its actions by method name.
   * @throws {RoutingException} If its action table is wrong, or it cannot be built.
   */
  of(controller: ControllerClass): ReadonlyMap<string, Action> {
    let actions = this.#read.get(controller)
    if (actions === undefined) {
      actions = readActions(controller, this.#helpers)
      if (!this.#isBuildable(controller)) throw notBuildable(controller)
      this.#read.set(controller, actions)
    }
    return actions
  }
}

function notBuildable({ name }: ControllerClass): RoutingException {
  const reason = 'its constructor has arguments without defaults, and each request builds one'
  return new RoutingException(
    'invalid-action',
    `Cannot use ${name} as a controller: ${reason}; give them defaults with inject()`,
  )
}
