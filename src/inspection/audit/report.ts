import { inOneLine } from '../../core/internal.ts'
import { RoutingException } from '../../routing/index.ts'
import type { Action, RoutedModule, RouteTarget, RoutingModel } from '../../routing/internal.ts'
import type { Place } from './audited-path.ts'
import type { FindingCode, RouteAudit, RouteFinding } from './finding.ts'

/** A URL that was made for a route or an action. */
export interface MadeUrl {
  readonly module: RoutedModule
  /** The methods that it may be asked with, at least one. */
  readonly methods: readonly string[]
  readonly url: string
  /** What it was made for. */
  readonly wanted: RouteTarget | Action
  /** The same, as messages name it. */
  readonly label: string
}

/** A URL that reached what it was made for, without resolvers. */
export interface ReachedUrl extends MadeUrl {
  readonly method: string
}

/** A finding without what follows from its code. */
export type NewFinding = Pick<RouteFinding, 'code' | 'message'> & Partial<RouteFinding>

const NOTES: ReadonlySet<FindingCode> = new Set([
  'shadowed-by-priority',
  'shadowed-by-specificity',
  'declares-nothing',
  'foreign-placeholder',
  'missing-locale',
  'left-to-resolvers',
  'no-url-found',
])

/** Takes what the parts of a check find. */
export class AuditReport {
  readonly model: RoutingModel
  readonly findings: RouteFinding[] = []
  /** How many routes, conventional actions included, were checked. */
  routes = 0
  /** How many URLs were generated and matched again. */
  urls = 0
  /** One URL for each route and locale. */
  readonly reached: ReachedUrl[] = []
  /** The routes that no URL reaches, which is reported once. */
  readonly unreachable: Set<RouteTarget> = new Set()

  constructor(model: RoutingModel) {
    this.model = model
  }

  get audit(): RouteAudit {
    const { fault = [], note = [] } = Object.groupBy(this.findings, ({ severity }) => severity)
    return { findings: [...fault, ...note], routes: this.routes, urls: this.urls }
  }

  /** Adds a finding, whose message may quote what the application threw. */
  add(module: RoutedModule, finding: NewFinding): void {
    const message = inOneLine(finding.message)
    const severity = NOTES.has(finding.code) ? 'note' : 'fault'
    this.findings.push({ severity, module: module.name, example: null, winner: null, ...finding, message })
  }

  /** The URL of a path that is filled with texts. */
  urlOf({ path, point }: Place, texts: readonly string[]): string {
    return this.model.spelling.path(point, texts, path.variant.pattern.hasSlash)
  }

  /** A request for a path that is filled with the first of some examples; null where there are none. */
  exampleOf(place: Place, [texts]: readonly (readonly string[])[]): string | null {
    return texts === undefined ? null : `${place.path.variant.methods[0]} ${this.urlOf(place, texts)}`
  }

  /** Matches a URL again: gives what it reaches instead of what it was made for; null where it reaches that. */
  matchAgain(made: MadeUrl): string | null {
    const { methods, url, wanted } = made
    this.urls++
    let failure = ''
    for (const method of methods) {
      const target = this.model.resolution.verify(method, url)?.target
      if (target === wanted || target?.action === wanted) {
        this.reached.push({ ...made, method })
        return null
      }
      failure ||= `"${method} ${url}" reaches ${target?.action.label ?? 'nothing'}`
    }
    return failure
  }

  /**
   * Runs a part of a check, which a routing error ends. What its URLs meet is code of the application: a parameter type that
   * gives a promise is found with the first text that it is asked about.
   */
  guard(module: RoutedModule, part: () => void): void {
    try {
      part()
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      const isName = error.code === 'duplicate-name'
      const code = isName ? 'duplicate-name' : 'does-not-compile'
      const message = inOneLine(isName ? error.message : `${error.message} [${error.code}]`)
      // Another part may have come to the same.
      if (!this.findings.some((finding) => finding.message === message)) this.add(module, { code, message })
    }
  }
}
