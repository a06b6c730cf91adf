import { LocalTarget } from 'sallyport/http'
import { Router } from 'sallyport/routing'
import { inject } from 'sallyport'
import { security } from '../messages/security.ts'
import { Parts } from '../part.ts'
import { cataloguesOf } from '../messages/catalogue.ts'
import { RequireStepUp, STEP_UP_ACTION } from './require-step-up.ts'

/** An action that waits for a step-up. */
export interface SuspendedAction {
  /** Path of its page. */
  readonly path: string
  /** Message that names it. */
  readonly name: string
  /** What the menus call the page it is reached from: that of the module of its route. */
  readonly page: string
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
    if (name === undefined) return undefined
    // What the core itself suspends is on the security page, wherever its route is.
    const page = Object.hasOwn(security.en, name) ? 'security' : match.route.module.toLowerCase()
    return { path, name, page }
  }
}
