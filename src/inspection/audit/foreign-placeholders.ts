import type { AuditedTable } from './audited-path.ts'
import type { AuditReport } from './report.ts'

// How other frameworks write placeholders: ":id", "[id]" and "<id>", "*" and "*path". A colon within a word or behind a
// placeholder, such as in "/reports:export", is usually meant as it stands.
const COLON = /(^|[-.~]):([A-Za-z_]\w*)/g
const BRACKETS = /^(?:\[(?:\.{3})?(\w+)\]|<(?:\w+:)?(\w+)>)$/
const STAR = /^\*(\w*)$/

/** Looks for segments that are placeholders in other frameworks and plain text here: `/:id` answers only that very URL. */
export function checkForeignPlaceholders(audited: AuditedTable, report: AuditReport): void {
  const { module, table, points, paths } = audited
  const reported = new Set<string>()
  const check = (segment: string, owner: string): void => {
    const placeholder = placeholderOf(segment)
    const message = `"${segment}" of ${owner} looks like a placeholder, but is matched as text: write ${placeholder}`
    if (placeholder === null || reported.has(message)) return
    reported.add(message)
    report.add(module, { code: 'foreign-placeholder', message })
  }
  for (const { prefix } of points) for (const segment of prefix) check(segment, table.label)
  for (const { route, variant } of paths)
    for (const segment of variant.pattern.source.split('/')) check(segment, table.describe(route))
}

function placeholderOf(segment: string): string | null {
  const [, star] = STAR.exec(segment) ?? []
  if (star !== undefined) return `"{${star || 'path'}}" and where('${star || 'path'}', '.+')`
  const mended = segment
    .replace(BRACKETS, (_, square?: string, angle?: string) => `{${square ?? angle}}`)
    .replaceAll(COLON, '$1{$2}')
  return mended === segment ? null : `"${mended}"`
}
