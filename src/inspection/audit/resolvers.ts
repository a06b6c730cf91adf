import { shown } from '../../core/internal.ts'
import { isResolverFault, type Outcome, type ResolverAnswer } from '../../routing/internal.ts'
import { SilentResolver, withinAnswerTime } from '../answer-time.ts'
import type { AuditReport, ReachedUrl } from './report.ts'

/**
 * Asks the resolvers about each URL that was made: what a resolver answers as well is answered by one of the two only.
 * That a priority decides is how it is meant; that the order of declaration decides is a fault.
 *
 * @param report Has the URLs that were made, and takes the findings.
 */
export async function checkResolvers(report: AuditReport): Promise<void> {
  const reported = new Set<string>()
  const silent = new Set<string>()
  for (const reached of report.reached) {
    for (const answer of report.model.resolution.resolversAt(reached.method, reached.url)) {
      const key = `${reached.module.name} ${answer.resolver} ${answer.priority}`
      if (silent.has(key)) continue
      const outcome = await ask(answer)
      if (outcome === null || reported.has(`${key} ${reached.label}`)) continue
      if (!(outcome instanceof Error)) {
        reported.add(`${key} ${reached.label}`)
        reportOverlap(reached, answer, report)
        continue
      }
      if (outcome instanceof SilentResolver) silent.add(key)
      // For want of a database it is a note; that hides no wrong answer to another URL.
      const failure = isResolverFault(outcome) ? `${key} fault` : key
      if (!reported.has(failure)) {
        reported.add(failure)
        reportFailure(reached, { resolver: answer.resolver, error: outcome }, report)
      }
    }
  }
}

// A resolver is code of the application, which may need what is not there during a check.
async function ask({ ask: asked }: ResolverAnswer): Promise<Outcome | Error> {
  try {
    return await withinAnswerTime(asked(), () => 'it has not answered')
  } catch (error) {
    return error instanceof Error ? error : new Error(shown(error))
  }
}

function reportOverlap(
  { module, method, url, label }: ReachedUrl,
  { resolver, priority, rulePriority, isFirst }: ResolverAnswer,
  report: AuditReport,
): void {
  const own = `resolver ${resolver}`
  const [winner, loser] = isFirst ? [own, label] : [label, own]
  const [first, second] = isFirst ? [priority, rulePriority] : [rulePriority, priority]
  const isDeclared = priority === rulePriority
  const reason = isDeclared
    ? 'only the order of declaration decides; give the resolver another priority'
    : `the first wins by priority, ${first} before ${second}`
  report.add(module, {
    code: isDeclared ? 'ambiguous-routes' : 'shadowed-by-priority',
    message: `${winner} and ${loser} of ${module.label} take the same URL: ${reason}${isFirst ? '; url() makes it all the same' : ''}`,
    example: `${method} ${url}`,
    winner,
  })
}

function reportFailure(
  { module, method, url }: ReachedUrl,
  { resolver, error }: { readonly resolver: string; readonly error: Error },
  report: AuditReport,
): void {
  const isFault = isResolverFault(error)
  const what = isFault ? 'gives no answer that can stand' : 'cannot be asked'
  const message = `resolver ${resolver} of ${module.label} ${what}: ${error.message}`
  const severity = isFault ? 'fault' : 'note'
  report.add(module, { severity, code: 'resolver-failed', message, example: `${method} ${url}` })
}
