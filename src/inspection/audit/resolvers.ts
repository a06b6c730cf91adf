import { shown } from '../../core/internal.ts'
import { isResolverFault, type Outcome, type ResolverAnswer } from '../../routing/internal.ts'
import { SilentResolver, withinAnswerTime } from '../answer-time.ts'
import type { AuditReport, NewFinding, ReachedUrl } from './report.ts'

/**
 * Asks the resolvers about each URL that was made: what a resolver answers as well is answered by one of the two only.
 * That a priority decides is how it is meant; that the order of declaration decides is a fault.
 */
export async function checkResolvers(report: AuditReport): Promise<void> {
  const reported = new Set<string>()
  const silent = new Set<string>()
  for (const reached of report.reached) {
    const { module, method, url, label } = reached
    for (const answer of report.model.resolution.resolversAt(method, url)) {
      const key = `${module.name} ${answer.resolver} ${answer.priority}`
      if (silent.has(key)) continue
      const outcome = await ask(answer)
      if (outcome === null || reported.has(`${key} ${label}`)) continue
      if (outcome instanceof SilentResolver) silent.add(key)
      const isFailure = outcome instanceof Error
      const finding = isFailure ? failureOf(reached, answer, outcome) : overlapOf(reached, answer)
      // For want of a database it is a note; that hides no wrong answer to another URL.
      const once = `${key} ${isFailure ? finding.severity : label}`
      if (!reported.has(once)) report.add(module, { ...finding, example: `${method} ${url}` })
      reported.add(once)
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

function overlapOf(
  { module, label }: ReachedUrl,
  { resolver, priority, rulePriority, isFirst }: ResolverAnswer,
): NewFinding {
  const own = `resolver ${resolver}`
  const [winner, loser] = isFirst ? [own, label] : [label, own]
  const [first, second] = isFirst ? [priority, rulePriority] : [rulePriority, priority]
  const isDeclared = priority === rulePriority
  const reason = isDeclared
    ? 'only the order of declaration decides; give the resolver another priority'
    : `the first wins by priority, ${first} before ${second}`
  const hint = isFirst ? '; url() makes it all the same' : ''
  const message = `${winner} and ${loser} of ${module.label} take the same URL: ${reason}${hint}`
  return { code: isDeclared ? 'ambiguous-routes' : 'shadowed-by-priority', message, winner }
}

function failureOf({ module }: ReachedUrl, { resolver }: ResolverAnswer, error: Error): NewFinding {
  const isFault = isResolverFault(error)
  const what = isFault ? 'returns an invalid answer' : 'cannot be asked'
  const message = `resolver ${resolver} of ${module.label} ${what}: ${error.message}`
  return { severity: isFault ? 'fault' : 'note', code: 'resolver-failed', message }
}
