import { LocalTarget } from 'sallyport/http'
import { Router } from 'sallyport/routing'
import { inject } from 'sallyport'
import type { StepUpRule } from './step-up-rule.ts'

/** An action that waits for a step-up. */
export interface SuspendedAction {
  /** Path of its page. */
  readonly path: string
  /** What must be proven for it; `rule.action` is the message that names it. */
  readonly rule: StepUpRule
}

/**
 * The actions that wait for a step-up. Which one waits is said by its own route, not by the client: so each tab has its own, and
 * a link that names another page leads nowhere.
 */
export class SuspendedActions {
  readonly #router = inject(Router)
  readonly #rules = new Map<object, StepUpRule>()

  /** Notes what a middleware asks for, when the application is built. */
  add(middleware: object, rule: StepUpRule): void {
    this.#rules.set(middleware, rule)
  }

  /** @returns The action; undefined when the page needs no step-up. */
  async read(value: unknown): Promise<SuspendedAction | undefined> {
    const path = LocalTarget.parse(value)?.value
    if (path === undefined) return undefined
    const match = await this.#router.resolve('GET', path.replace(/\?.*$/s, ''))
    if (match.kind !== 'found') return undefined
    const [rule] = match.route.middlewares.flatMap((each) => this.#rules.get(each) ?? [])
    return rule === undefined ? undefined : { path, rule }
  }
}
