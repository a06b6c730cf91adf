import { inOneLine } from '../../core/internal.ts'
import { RoutingException } from '../../routing/index.ts'
import type { Action, RoutedModule, RouteTarget } from '../../routing/internal.ts'
import type { RouteFinding } from './finding.ts'

/** A URL that reached what it was made for, without resolvers. */
export interface ReachedUrl {
  readonly module: RoutedModule
  readonly method: string
  readonly url: string
  /** What it reaches, as messages name it. */
  readonly label: string
}

/** Takes what the parts of a check find. */
export class AuditReport {
  readonly findings: RouteFinding[] = []
  /** How many URLs were generated and matched again. */
  urls = 0
  /** The URLs that reached what they were made for, one for each route and locale. */
  readonly reached: ReachedUrl[] = []
  /** What was found to be without any URL, which is told once. */
  readonly unreachable: Set<RouteTarget | Action> = new Set()

  /**
   * @param module The module.
   * @param finding The finding, a fault unless it says otherwise. Its message may quote what the application threw.
   */
  add(module: RoutedModule, finding: Pick<RouteFinding, 'code' | 'message'> & Partial<RouteFinding>): void {
    const message = inOneLine(finding.message)
    const own = { severity: 'fault', module: module.name, example: null, winner: null } as const
    this.findings.push({ ...own, ...finding, message })
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
      const message = inOneLine(`${error.message} [${error.code}]`)
      if (!this.findings.some((finding) => finding.message === message))
        this.add(module, { code: 'does-not-compile', message })
    }
  }
}
