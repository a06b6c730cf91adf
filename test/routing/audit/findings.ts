import assert from 'node:assert/strict'

import type { Router } from 'sallyport/routing'

/**
 * Asserts the whole of an audit.
 *
 * @param app The router.
 * @param counted How many routes were checked and how many URLs were tried: `2 routes, 5 URLs`.
 * @param expected The findings, each as `severity code module | example | winner | message` without places in the
 * source. Actions without a route are left out where a controller has more actions than the test needs.
 */
export function finds(app: Router, counted: string, expected: readonly string[]): void {
  const { findings, routes, urls } = app.audit()
  const lines = findings.map(({ severity, code, module, example, winner, message }) => {
    const line = `${severity} ${code} ${module} | ${example ?? '-'} | ${winner ?? '-'} | ${message}`
    return line.replaceAll(/ \(\S+:\d+\)/g, '')
  })

  assert.deepEqual(
    lines.filter((line) => !line.includes('leads to PageController::')),
    expected,
  )
  assert.equal(`${routes} routes, ${urls} URLs`, counted)
}
