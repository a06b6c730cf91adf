import { LocalTarget } from 'sallyport/http'
import { Router } from 'sallyport/routing'
import { inject } from 'sallyport'
import { Parts } from '../part.ts'
import { cataloguesOf } from '../messages/catalogue.ts'
import { RequireStepUp, STEP_UP_ACTION } from './require-step-up.ts'

/** An action that waits for a step-up. */
export interface SuspendedAction {
  /** Path of its page. */
  readonly path: string
  /** Message that names it. */
  readonly name: string
}

/**
 * The actions that wait for a step-up. Which one waits is said by its own route, not by the client: so each tab has its own, and
 * a link that names another page leads nowhere.
 */
export class SuspendedActions {
  readonly #router = inject(Router)
  readonly #actions = Object.keys(cataloguesOf(inject(Parts).all).en.messages).filter((id) =>
    id.startsWith(STEP_UP_ACTION),
  )

  /** @returns The action; undefined when the page needs no step-up. */
  async read(value: unknown): Promise<SuspendedAction | undefined> {
    const path = LocalTarget.parse(value)?.value
    if (path === undefined) return undefined
    const match = await this.#router.resolve('GET', path.replace(/\?.*$/s, ''))
    if (match.kind !== 'found') return undefined
    // The same arguments make the same class.
    const { middlewares } = match.route
    const name = this.#actions.find((action) => middlewares.includes(RequireStepUp.of(action)))
    return name === undefined ? undefined : { path, name }
  }
}
