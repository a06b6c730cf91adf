import { inOneLine } from '../core/internal.ts'
import type { Inspection } from '../inspection/internal.ts'
import type { RouteAudit, RouteFinding } from '../inspection/index.ts'
import type { Terminal } from './terminal.ts'

const MAX_NOTES = 20

/**
 * Checks the routes of an application.
 *
 * @param inspection Its inspection.
 * @param asked `json`: machine-readable output; `all`: every note.
 * @param terminal Where to write.
 * @returns Whether there is no fault.
 */
export async function checkRoutes(
  inspection: Inspection,
  { json, all }: { readonly json: boolean; readonly all: boolean },
  terminal: Terminal,
): Promise<boolean> {
  const audit = await inspection.auditWithResolvers()
  const faults = audit.findings.filter(({ severity }) => severity === 'fault')
  const notes = audit.findings.filter(({ severity }) => severity === 'note')
  if (json) {
    terminal.printJson(audit)
    return faults.length === 0
  }
  const shown = all ? notes : notes.slice(0, MAX_NOTES)
  for (const finding of [...faults, ...shown]) printFinding(finding, terminal)
  const left = notes.length - shown.length
  if (left > 0) terminal.print(terminal.style('dim', `… and ${left} more notes, shown by --all`))
  const counted = `${count(audit.routes, 'route')}, ${count(audit.urls, 'URL')} generated and matched again`
  const verdict = `${count(faults.length, 'fault')}, ${count(notes.length, 'note')}`
  terminal.print(terminal.style(faults.length === 0 ? 'green' : 'red', `${counted}: ${verdict}`))
  return faults.length === 0
}

/**
 * Reports that an application does not boot, as the only fault of a check.
 *
 * @param message Why it does not boot.
 * @param asked `json`: machine-readable output.
 * @param terminal Where to write.
 */
export function reportNoBoot(
  message: string,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): void {
  const finding: RouteFinding = {
    severity: 'fault',
    code: 'does-not-boot',
    module: '',
    message,
    example: null,
    winner: null,
  }
  const audit: RouteAudit = { findings: [finding], routes: 0, urls: 0 }
  if (json) terminal.printJson(audit)
  else {
    printFinding(finding, terminal)
    terminal.print(terminal.style('red', 'the application does not boot: 1 fault'))
  }
}

function printFinding({ severity, code, message, example, winner }: RouteFinding, terminal: Terminal): void {
  const mark = severity === 'fault' ? terminal.style('red', 'fault') : terminal.style('yellow', 'note ')
  terminal.print(`${mark} ${terminal.style('dim', code)} ${terminal.shorten(inOneLine(message))}`)
  if (example !== null)
    terminal.print(
      `      ${terminal.shorten(inOneLine(winner === null ? example : `${example} is answered by ${winner}`))}`,
    )
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
