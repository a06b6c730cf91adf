import { inOneLine, ignoreFailure } from '../core/internal.ts'
import type { RouteMatch } from '../routing/index.ts'
import type { RoutingModel } from '../routing/internal.ts'
import { SilentResolver, withinAnswerTime } from './answer-time.ts'
import { checkRoutes } from './audit/audit.ts'
import type { ControllerTrial } from './audit/controllers.ts'
import type { RouteAudit } from './audit/finding.ts'
import { checkResolvers } from './audit/resolvers.ts'
import { type AuditedTemplate, checkTemplates } from './audit/templates.ts'
import { Explainer } from './explainer.ts'
import { RouteExplanation } from './explanation.ts'
import { type ListedRoute, listRoutes } from './route-listing.ts'

/** Looks at the routes of an application: lists them, explains how a URL is resolved, finds what is wrong with them. */
export class Inspection {
  readonly #model: RoutingModel
  readonly #templates: () => readonly AuditedTemplate[]
  readonly #trial: ControllerTrial

  /**
   * @param model What the router of the application is made of.
   * @param templates Reads the templates of the application. Default: it has none.
   * @param trial Builds a controller as a request does. Default: none is built.
   * @internal
   */
  constructor(
    model: RoutingModel,
    templates: () => readonly AuditedTemplate[] = () => [],
    trial: ControllerTrial = () => null,
  ) {
    this.#model = model
    this.#templates = templates
    this.#trial = trial
  }

  /** The locales of the application, the default first. */
  get locales(): readonly string[] {
    return this.#model.spelling.locales
  }

  /**
   * Lists every URL pattern of the application: tables, claims and convention. What resolvers answer is not known.
   *
   * @returns The patterns, by module in the order of declaration.
   * @throws {RoutingException} If a route table cannot be compiled.
   */
  routes(): readonly ListedRoute[] {
    return listRoutes(this.#model)
  }

  /**
   * Resolves a URL and reports each step on the way: locale, mount or claim, every resolver, every candidate and why it
   * lost, the cause of a redirect, the middlewares in the end. What a resolver throws ends it, with the steps before.
   *
   * @param method The HTTP method, in upper case.
   * @param path The path of the URL as sent, without query.
   * @returns The explanation; a promise only when a resolver gave one. It rejects if a resolver does not answer within five
   * seconds, and says which.
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  explain(method: string, path: string): RouteExplanation | Promise<RouteExplanation> {
    const explainer = new Explainer(this.#model)
    const finish = (answer: RouteMatch): RouteExplanation => {
      explainer.ended(answer)
      return new RouteExplanation({ method, path, steps: explainer.steps }, answer)
    }
    const fail = (error: unknown): RouteExplanation => {
      const failure = error instanceof SilentResolver ? null : explainer.failed(error)
      if (failure === null) throw error
      return new RouteExplanation({ method, path, steps: explainer.steps }, failure)
    }
    const sentence = (): string =>
      inOneLine(`Cannot explain ${method} ${path}: ${explainer.pending ?? 'a resolver'} has not answered`)
    try {
      const match = this.#model.resolution.resolve(method, path, explainer)
      if (!(match instanceof Promise)) return finish(match)
      return ignoreFailure(withinAnswerTime(match, sentence).then(finish, fail))
    } catch (error) {
      return fail(error)
    }
  }

  /**
   * Checks the routes: compiles every table, generates every URL that can be generated and matches it again, and looks
   * for routes that take URLs from each other and for what no URL reaches. Resolvers are not asked. Reads the templates
   * too: are they well-formed, and does every route exist that they name? Builds each controller once, as for a request:
   * constructors run, also of services that no request has needed yet.
   *
   * @returns What was found.
   */
  audit(): RouteAudit {
    return this.#withTemplates(checkRoutes(this.#model, this.#trial).audit)
  }

  /**
   * Checks the routes as {@link audit} does, and asks each resolver whether it answers the URLs of routes and actions of
   * its module, too. Resolvers run as they do for a request of that URL.
   *
   * @returns What was found.
   */
  async auditWithResolvers(): Promise<RouteAudit> {
    const report = checkRoutes(this.#model, this.#trial)
    await checkResolvers(report)
    return this.#withTemplates(report.audit)
  }

  #withTemplates(audit: RouteAudit): RouteAudit {
    return { ...audit, findings: [...checkTemplates(this.#templates(), this.#model), ...audit.findings] }
  }
}
