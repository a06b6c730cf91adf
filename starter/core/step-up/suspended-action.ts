import { LocalTarget } from 'sallyport/http'
import { Router } from 'sallyport/routing'
import { inject } from 'sallyport'
import { CORE_TEXTS, LANGUAGES } from '../messages/language.ts'
import type { StepUpRule } from './step-up-rule.ts'

/** An action that waits for a step-up. */
export interface SuspendedAction {
  /** Path of its page. */
  readonly path: string
  /** What must be proven for it; `rule.action` is the message that names it. */
  readonly rule: StepUpRule
  /** What the menus call the page it is reached from: that of the module of its route. */
  readonly page: string
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
    if (rule === undefined) return undefined
    // What the core itself suspends is on the security page, wherever its route is.
    const { security } = CORE_TEXTS[LANGUAGES[0]]
    const page = Object.hasOwn(security, rule.action) ? 'security' : match.route.module.toLowerCase()
    return { path, rule, page }
  }
}
