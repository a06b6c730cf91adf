import { inOneLine, placedMessage, shown, toAsciiLowerCase } from '../core/internal.ts'
import { SallyportException } from '../core/index.ts'
import type { RouteMatch } from '../routing/index.ts'
import {
  type Candidate,
  type EntryPoint,
  isSameSegments,
  type Outcome,
  plain,
  resolverName,
  type ResolverStep,
  type RoutingModel,
  type Step,
  type StepMatch,
  type Trace,
  type UrlPath,
} from '../routing/internal.ts'
import { explainCandidates, type ExplainedCandidate } from './candidates.ts'
import type { ExplainedStep, FailedLookup } from './explanation.ts'

const MAX_MOUNTS = 20

/** Takes notes while a URL is resolved. */
export class Explainer implements Trace {
  readonly steps: ExplainedStep[] = []
  /** The resolver that is being asked, as messages name it. */
  pending: string | null = null
  readonly #model: RoutingModel
  #isElsewhere = false

  constructor(model: RoutingModel) {
    this.#model = model
  }

  located(path: UrlPath, candidates: readonly Candidate[]): void {
    const [first] = candidates
    const { entries, spelling } = this.#model
    const { basePath, baseSegments } = spelling
    if (baseSegments.length > entries.startOf(path.segments)) {
      this.#note('entry', `the URL is outside of the base path "${basePath}"`)
      return
    }
    const segments = path.segments.slice(baseSegments.length).map(plain)
    // The root has what no mount and no claim takes.
    this.#isElsewhere = first === undefined || (isRoot(first.point) && segments.length > 0)
    if (first === undefined) {
      const begin = segments[0] === undefined ? 'the root' : `"/${segments[0]}"`
      this.#note('entry', `no module is mounted on ${begin}, no claim begins so, and no module owns the root`)
      return
    }
    if (spelling.localePrefixes) this.#note('locale', `locale: ${localeText(candidates, segments)}`)
    // The root of a module is the same in each of its locales.
    for (const text of new Set(candidates.map(entryText))) this.#note('entry', text)
  }

  asking(step: ResolverStep, candidate: Candidate): void {
    this.pending = nameOf(step, candidate)
  }

  asked(step: Step, candidate: Candidate, outcome: Outcome): void {
    this.pending = null
    const { spelling } = this.#model
    const isTable = step.kind === 'table'
    const candidates = isTable ? explainCandidates(step.table, candidate, { outcome, spelling }) : []
    this.#note(step.kind, `${nameOf(step, candidate)}: ${verdictOf(outcome)}`, candidates)
  }

  spelled(match: StepMatch, location: string | null): void {
    if (location === null) this.#note('spelling', 'the URL is spelled canonically')
    else {
      const cause = causeOf(match, location, this.#model.spelling)
      this.#note('spelling', `the canonical spelling is ${location}: ${cause}`)
    }
  }

  /** Notes that the resolver that is being asked has thrown; null when none is being asked. */
  failed(error: unknown): FailedLookup | null {
    if (this.pending === null) return null
    const text = inOneLine(`${this.pending}: it threw ${thrownText(error)}`)
    this.#note('resolver', text)
    return { kind: 'failed', text }
  }

  /** Ends the explanation: a path that begins like no mount and is not found has most likely been misspelled. */
  ended(match: RouteMatch): void {
    if (match.kind !== 'notFound' || !this.#isElsewhere) return
    const { modules, entries } = this.#model
    const points = modules.flatMap(({ owners }) => owners.flatMap((owner) => entries.pointsOf(owner)))
    const mounts = points.filter(({ path }) => path.length > 0).map(mountText)
    if (mounts.length === 0) return
    const left = mounts.length - MAX_MOUNTS
    const shown = mounts.slice(0, MAX_MOUNTS).join(', ')
    this.#note('entry', `mounts and claims: ${shown}${left > 0 ? ` and ${left} more` : ''}`)
  }

  #note(kind: ExplainedStep['kind'], text: string, candidates: readonly ExplainedCandidate[] = []): void {
    this.steps.push({ kind, text, candidates })
  }
}

function mountText({ module, prefix }: EntryPoint): string {
  return `/${prefix.join('/')} (module "${module.name}")`
}

function isRoot({ claim, path }: EntryPoint): boolean {
  return claim === null && path.length === 0
}

function nameOf(step: Step, { point }: Candidate): string {
  if (step.kind === 'table') return `table of ${step.table.label}`
  const name = step.kind === 'resolver' ? `resolver ${resolverName(step.resolver)}` : 'convention'
  return `${name} of ${point.module.label}`
}

// What is thrown may be anything; the framework says by itself what was wrong and where.
function thrownText(error: unknown): string {
  try {
    if (!(error instanceof Error)) return shown(error)
    return `${error.name}: ${error instanceof SallyportException ? error.message : placedMessage(error)}`
  } catch {
    return shown(error)
  }
}

function verdictOf(outcome: Outcome): string {
  if (outcome === null) return 'does not know it'
  if (outcome.kind === 'refused') return `knows it for ${[...outcome.allowed].join(', ')} only`
  return `found ${outcome.route.target.action.label}`
}

function entryText({ point }: Candidate): string {
  const of = `of ${point.module.label}`
  if (isRoot(point)) return `the root ${of}`
  return `${point.claim === null ? 'mount' : 'claim'} /${point.prefix.join('/')} ${of}`
}

function localeText(candidates: readonly Candidate[], segments: readonly string[]): string {
  const locales = candidates.map(({ point }) => point.locale)
  const [locale = null] = locales
  if (locale === null) return 'none: the module is not localized'
  if (segments.length === 0) return `"/" answers for ${locale}, the default locale, without prefix`
  if (toAsciiLowerCase(segments[0] ?? '') === toAsciiLowerCase(locale)) return `${locale}, by the prefix`
  return `no prefix; tried in order: ${locales.join(', ')}`
}

// Each way in which a spelling may differ, in the words of who sent it.
function causeOf(
  { candidate, canonical }: StepMatch,
  location: string,
  { home, baseSegments }: RoutingModel['spelling'],
): string {
  const { path, point, consumed, rest } = candidate
  const sent = path.segments.map(plain)
  const causes: string[] = []
  const entry = sent.slice(0, consumed)
  const isHome = location === home
  if (isHome && sent.length > baseSegments.length)
    causes.push('the home page of the default locale has no prefix')
  else if (isHome && !path.hasSlash) causes.push('the home page ends with a slash')
  else if (entry.length !== point.prefix.length) causes.push('the locale prefix is missing or one too many')
  else if (entry.join('/') !== point.prefix.join('/'))
    causes.push('mounts and locales are written in lower case')
  if (!isSameSegments(canonical, rest)) causes.push('the convention spells controller and action otherwise')
  if (path.hasSlash !== location.endsWith('/') && !isHome)
    causes.push(path.hasSlash ? 'URLs end without a slash' : 'URLs end with a slash')
  if (path.hasUncanonicalEscape) causes.push('an escape is unnecessary or not in upper case')
  return causes.join(', ')
}
