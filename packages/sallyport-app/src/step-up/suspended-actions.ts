import { inject } from 'sallyport'
import { LocalTarget } from 'sallyport/http'
import { Router } from 'sallyport/routing'
import { assertStepUpRule, type StepUpRule } from './step-up-rule.ts'

/** An action that waits for a step-up. */
export interface SuspendedAction<Rule extends StepUpRule = StepUpRule> {
  /** Path of its page, with its query. */
  readonly path: string
  /** What must be proven for it; `rule.action` is the message that names it. */
  readonly rule: Rule
  /** Name of the module of its route. */
  readonly module: string
}

/**
 * The actions that wait for a step-up: those of routes behind a guard that was added here. Which one waits is said by its own route, not by
 * the client: so each tab has its own, and a link that names another page leads nowhere.
 */
export class SuspendedActions<Rule extends StepUpRule = StepUpRule> {
  readonly #router = inject(Router)
  readonly #rules = new Map<object, Rule>()

  /**
   * Notes what a guard asks for, when the application is built.
   *
   * @param guard Its class, which stands before the route: `new.target`.
   * @param rule What it asks for.
   * @param held The kinds of second factors that accounts hold.
   * @returns The rule.
   * @throws {TypeError} If the rule cannot be kept.
   */
  add(guard: object, rule: Rule, held: readonly string[]): Rule {
    assertStepUpRule(rule, held)
    this.#rules.set(guard, rule)
    return rule
  }

  /**
   * Looks for the action that waits.
   *
   * @param value What a client sent as the page to return to.
   * @returns The action; undefined when the page needs no step-up.
   */
  async read(value: unknown): Promise<SuspendedAction<Rule> | undefined> {
    const path = LocalTarget.parse(value)?.value
    if (path === undefined) return undefined
    const match = await this.#router.resolve('GET', path.replace(/\?.*$/s, ''))
    if (match.kind !== 'found') return undefined
    const [rule] = match.route.middlewares.flatMap((each) => this.#rules.get(each) ?? [])
    return rule && { path, rule, module: match.route.module }
  }
}
