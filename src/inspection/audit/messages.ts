import { nearest } from '../../core/internal.ts'
import type { FindingCode, RouteFinding } from './finding.ts'
import { type AuditedTemplate, findingOf, placeIn } from './templates.ts'

/** The messages of a declared locale by domain, with those that it falls back to. */
export interface AuditedMessages {
  readonly locale: string
  readonly catalogue: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A message that a template names. */
interface UsedMessage {
  readonly id: string
  /** File, line and column. */
  readonly place: string
  readonly hasFallback: boolean
}

const DOMAIN = 'messages'
// The id is written out. What is computed is only known when the page renders.
const MESSAGE = /(?<![\w$.])\$i18n\.t\(\s*(?:'([^'\\]*)'|"([^"\\]*)"|`([^`\\$]*)`)\s*(?=[,)])/g

/**
 * Looks for messages that no locale has, and for those that one locale has and another lacks. A locale without any message of
 * a domain is left out: there the fallbacks are the messages.
 *
 * @param templates The templates.
 * @param messages The messages of each locale.
 * @returns What was found.
 */
export function checkMessages(
  templates: readonly AuditedTemplate[],
  messages: readonly AuditedMessages[],
): RouteFinding[] {
  const used = templates.flatMap(usedIn)
  const named = new Set(used.map(({ id }) => id))
  const domains = new Set(messages.flatMap(({ catalogue }) => Object.keys(catalogue)))
  const unnamed = [...domains].flatMap((domain) => {
    const languages = languagesOf(domain, messages)
    const ids = new Set(languages.flatMap(({ ids: own }) => [...own]))
    return [...ids]
      .filter((id) => domain !== DOMAIN || !named.has(id))
      .map((id) => ({ id, domain, languages }))
  })
  const languages = languagesOf(DOMAIN, messages)
  return [
    ...used.flatMap((message) => faultOf(message, languages)),
    ...unnamed.flatMap(({ id, domain, languages: own }) =>
      lackOf(id, { domain, languages: own, severity: 'note', place: '' }),
    ),
  ]
}

/** The ids that a locale has in a domain. */
interface Language {
  readonly locale: string
  readonly ids: ReadonlySet<string>
}

function languagesOf(domain: string, messages: readonly AuditedMessages[]): readonly Language[] {
  return messages.flatMap(({ locale, catalogue }) => {
    const ids = new Set(Object.keys(catalogue[domain] ?? {}))
    return ids.size === 0 ? [] : [{ locale, ids }]
  })
}

function faultOf({ id, place, hasFallback }: UsedMessage, languages: readonly Language[]): RouteFinding[] {
  if (languages.length === 0) return []
  const isKnown = languages.some(({ ids }) => ids.has(id))
  const severity = hasFallback ? 'note' : 'fault'
  if (isKnown) return lackOf(id, { domain: DOMAIN, languages, severity, place: ` (${place})` })
  if (hasFallback) return []
  const similar = nearest(
    id,
    languages.flatMap(({ ids }) => [...ids]),
  )
  const hint = similar === undefined ? '' : `; did you mean "${similar}"?`
  return [findingOf('unknown-message', `no locale has the message "${id}"${hint} (${place})`)]
}

interface Lack {
  readonly domain: string
  readonly languages: readonly Language[]
  readonly severity: RouteFinding['severity']
  readonly place: string
}

function lackOf(id: string, { domain, languages, severity, place }: Lack): RouteFinding[] {
  const having = languages.filter(({ ids }) => ids.has(id))
  const lacking = languages.filter(({ ids }) => !ids.has(id))
  if (lacking.length === 0) return []
  const code: FindingCode = 'missing-message'
  const verb = lacking.length === 1 ? 'lacks' : 'lack'
  const message =
    `${namesOf(lacking)} ${verb} the message "${id}" of the domain "${domain}", ` +
    `which ${namesOf(having)} ${having.length === 1 ? 'has' : 'have'}${place}`
  return [{ ...findingOf(code, message), severity }]
}

function namesOf(languages: readonly Language[]): string {
  return languages.map(({ locale }) => locale).join(', ')
}

function usedIn({ file, expressions }: AuditedTemplate): readonly UsedMessage[] {
  return expressions.flatMap((expression) =>
    [...expression.code.matchAll(MESSAGE)].map((match) => ({
      id: match[1] ?? match[2] ?? match[3] ?? '',
      place: `${file}:${placeIn(expression, match.index)}`,
      hasFallback: hasThird(expression.code.slice(match.index + match[0].length)),
    })),
  )
}

// Whether two commas stand in an argument list before it ends, outside of brackets and strings.
function hasThird(rest: string): boolean {
  let [depth, commas] = [0, 0]
  for (const [token] of rest.matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[([{}\]),]/gs)) {
    if ('([{'.includes(token)) depth++
    else if (')]}'.includes(token)) depth--
    else if (token === ',' && depth === 0) commas++
    if (depth < 0) break
  }
  return commas >= 2
}
