import { inOneLine, ignoreFailure } from '../core/internal.ts'
import type { RouteMatch } from '../routing/index.ts'
import type { RoutingModel } from '../routing/internal.ts'
import { SilentResolver, withinAnswerTime } from './answer-time.ts'
import { checkRoutes } from './audit/audit.ts'
import type { ControllerTrial } from './audit/controllers.ts'
import type { RouteAudit } from './audit/finding.ts'
import { checkResolvers } from './audit/resolvers.ts'
import { type AuditedMessages, checkMessages } from './audit/messages.ts'
import { type AuditedTemplate, checkTemplates } from './audit/templates.ts'
import { Explainer } from './explainer.ts'
import { RouteExplanation } from './explanation.ts'
import { type ListedRoute, listRoutes } from './route-listing.ts'
import { type Declaration, declarationOf } from './route-types.ts'

/** What an application gives to a check beside its routes. */
export interface InspectedParts {
  /** Reads the templates. */
  readonly templates: () => readonly AuditedTemplate[]
  /** Reads the messages of each declared locale. */
  readonly messages: () => readonly AuditedMessages[]
  /** Builds a controller as a request does. */
  readonly trial: ControllerTrial
}

const NO_PARTS: InspectedParts = { templates: () => [], messages: () => [], trial: () => null }

/** Looks at the routes of an application: lists them, explains how a URL is resolved, finds what is wrong with them. */
export class Inspection {
  readonly #model: RoutingModel
  readonly #parts: InspectedParts

  /**
   * @param model What the router of the application is made of.
   * @param parts What else the application has. Default: nothing.
   * @internal
   */
  constructor(model: RoutingModel, parts: InspectedParts = NO_PARTS) {
    this.#model = model
    this.#parts = parts
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
   * Writes the declaration file of the names of URLs.
   *
   * @returns Its text, and how many names it declares.
   * @throws {RoutingException} If a route table cannot be compiled.
   * @internal
   */
  declaration(): Declaration {
    return declarationOf(this.routes(), this.locales)
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
   * too: are they well-formed, and does every route exist that they name, and every message in each locale? Builds each controller once, as for a request:
   * constructors run, also of services that no request has needed yet.
   *
   * @returns What was found.
   */
  audit(): RouteAudit {
    return this.#withTemplates(checkRoutes(this.#model, this.#parts.trial).audit)
  }

  /**
   * Checks the routes as {@link audit} does, and asks each resolver whether it answers the URLs of routes and actions of
   * its module, too. Resolvers run as they do for a request of that URL.
   *
   * @returns What was found.
   */
  async auditWithResolvers(): Promise<RouteAudit> {
    const report = checkRoutes(this.#model, this.#parts.trial)
    await checkResolvers(report)
    return this.#withTemplates(report.audit)
  }

  #withTemplates(audit: RouteAudit): RouteAudit {
    const templates = this.#parts.templates()
    const messages = checkMessages(templates, this.#parts.messages())
    const { fault = [], note = [] } = Object.groupBy(messages, ({ severity }) => severity)
    const findings = [...checkTemplates(templates, this.#model), ...fault, ...audit.findings, ...note]
    return { ...audit, findings }
  }
}
