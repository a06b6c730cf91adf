import { inOneLine } from '../../core/internal.ts'
import { RoutingException } from '../../routing/index.ts'
import type { Action, RoutedModule, RouteTarget, RoutingModel } from '../../routing/internal.ts'
import type { FindingCode, RouteFinding } from './finding.ts'

/** A URL that was made for a route or an action. */
export interface MadeUrl {
  readonly module: RoutedModule
  /** The methods that it may be asked with, at least one. */
  readonly methods: readonly string[]
  readonly url: string
  /** What it was made for, as messages name it. */
  readonly label: string
  /** Whether a target is what it was made for. */
  readonly isFor: (target: RouteTarget) => boolean
}

/** A URL that reached what it was made for, without resolvers. */
export interface ReachedUrl extends Pick<MadeUrl, 'module' | 'url' | 'label'> {
  readonly method: string
}

const NOTES: ReadonlySet<FindingCode> = new Set([
  'shadowed-by-priority',
  'shadowed-by-specificity',
  'declares-nothing',
  'missing-locale',
  'left-to-resolvers',
  'no-url-found',
])

/** Takes what the parts of a check find. */
export class AuditReport {
  /** What the application is made of. */
  readonly model: RoutingModel
  readonly findings: RouteFinding[] = []
  /** How many URLs were generated and matched again. */
  urls = 0
  /** The URLs that reached what they were made for, one for each route and locale. */
  readonly reached: ReachedUrl[] = []
  /** What was found to be without any URL, which is reported once. */
  readonly unreachable: Set<RouteTarget | Action> = new Set()

  constructor(model: RoutingModel) {
    this.model = model
  }

  /**
   * @param module The module.
   * @param finding The finding. Its message may quote what the application threw. Default for the severity: what the code says.
   */
  add(module: RoutedModule, finding: Pick<RouteFinding, 'code' | 'message'> & Partial<RouteFinding>): void {
    const message = inOneLine(finding.message)
    const severity = NOTES.has(finding.code) ? 'note' : 'fault'
    this.findings.push({ severity, module: module.name, example: null, winner: null, ...finding, message })
  }

  /**
   * Matches a URL again.
   *
   * @param made The URL.
   * @returns What it reaches instead of what it was made for; null where it reaches that.
   */
  matchAgain({ module, methods, url, label, isFor }: MadeUrl): string | null {
    this.urls++
    let failure = ''
    for (const method of methods) {
      const target = this.model.resolution.verify(method, url)?.target
      if (target !== undefined && isFor(target)) {
        this.reached.push({ module, method, url, label })
        return null
      }
      failure ||= `"${method} ${url}" reaches ${target?.action.label ?? 'nothing'}`
    }
    return failure
  }

  /**
   * Runs a part of a check. What its URLs meet is code of the application: a parameter type that gives a promise is found
   * with the first text that it is asked about.
   *
   * @param module The module.
   * @param part The part, which ends there.
   */
  guard(module: RoutedModule, part: () => void): void {
    try {
      part()
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      this.addOnce(module, 'does-not-compile', `${error.message} [${error.code}]`)
    }
  }

  /**
   * @param module The module.
   * @param code The condition.
   * @param text The message, which other parts of the check may have come to.
   */
  addOnce(module: RoutedModule, code: FindingCode, text: string): void {
    const message = inOneLine(text)
    if (!this.findings.some((finding) => finding.message === message)) this.add(module, { code, message })
  }
}
