import type { Action } from './action.ts'
import type { ControllerClass } from './controller-class.ts'
import { readActions } from './controller-actions.ts'

/** The actions of all controllers of an application, each read once. */
export class ActionCatalog {
  readonly #read = new Map<ControllerClass, ReadonlyMap<string, Action>>()

  /**
   * @param controller A controller class.
   * @returns Its actions by method name.
   * @throws {RoutingException} If its action table is wrong.
   */
  of(controller: ControllerClass): ReadonlyMap<string, Action> {
    let actions = this.#read.get(controller)
    if (actions === undefined) {
      actions = readActions(controller)
      this.#read.set(controller, actions)
    }
    return actions
  }
}
