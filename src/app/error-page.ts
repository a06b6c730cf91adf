import { escapeHtml } from '../core/internal.ts'
import type { Violation } from '../input/index.ts'

/** The content of an error page. */
export interface ErrorDetails {
  /** Status of the response. */
  readonly status: number
  /** Stable identifier of the condition; `ERR_INTERNAL` for a fault. */
  readonly code: string
  /** Short name of the condition, such as `Not found`. */
  readonly title: string
  /** One sentence for the user. */
  readonly message: string
  /** Further lines, such as violations. */
  readonly lines: readonly string[]
  /** The violations in the language of the request; empty unless the input was refused. */
  readonly violations: readonly Violation[]
  /** Identifier for finding the request in a log; null to show none. */
  readonly requestId: string | null
  /** Technical details for a developer; null outside development. */
  readonly trace: string | null
}

/** What it looks like. */
export const ERROR_PAGE_STYLE = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;
box-sizing:border-box;font:1rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}main{max-width:42rem;width:100%}
h1{font-size:1.5rem;margin:0 0 .5rem}p{margin:.5rem 0}small{opacity:.7}pre{overflow:auto;padding:1rem;border:1px solid;
border-radius:.5rem;font-size:.8rem}a{color:LinkText}`

// Browsers restore the fields, because the page of the form is still in their history. A link would open it anew.
const WAY_BACK = 'If you sent a form, go back one page: your browser has kept what you typed.'

/**
 * Content security policy of the built-in page: only its own style. The hash is written out, because computing it would load the
 * cryptography of the platform at each start.
 */
export const ERROR_PAGE_POLICY: string =
  `default-src 'none'; style-src 'sha256-t/EwG+XUA72u3ikwYb1l/tYN76Yeugp5Dz45MxXxCbI='; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Renders the built-in error page, for applications without their own.
 *
 * @param details Its content.
 * @param home URL of the start page.
 * @returns A page without scripts or external resources.
 */
export function errorPage(details: ErrorDetails, home: string): string {
  const list = details.lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${details.status} ${escapeHtml(details.title)}</title>
<style>${ERROR_PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(details.title)}</h1>
<p>${escapeHtml(details.message)}.</p>
${details.status === 413 ? `<p>${WAY_BACK}</p>` : ''}
${list === '' ? '' : `<ul>${list}</ul>`}
<p><a href="${escapeHtml(home)}">Go to the start page</a></p>
${details.requestId === null ? '' : `<p><small>Request ${escapeHtml(details.requestId)}</small></p>`}
${details.trace === null ? '' : `<pre>${escapeHtml(details.trace)}</pre>`}
</main>
</body>
</html>
`
}
