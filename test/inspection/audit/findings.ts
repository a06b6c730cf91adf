import assert from 'node:assert/strict'

import { type Actions, param, type Router, type Routes } from 'sallyport/routing'

import { inspect, module, table } from '../../routing/fixture.ts'
import type { ModuleRouting } from '../../../src/routing/internal.ts'
import type { RouterOptions } from '../../../src/routing/router.ts'

/** A controller with an action of each shape. */
export class Small {
  static readonly actions: Actions<Small> = {
    index: [],
    show: [param.string('slug')],
    savePost: [param.int('id')],
    many: [param.rest(param.string('x'))],
    opt: [param.int('n').optional()],
  }
  index(): void {}
  show(_slug: string): void {}
  savePost(_id: number): void {}
  many(..._x: string[]): void {}
  opt(_n?: number): void {}
}

/** Two languages, which a prefix tells apart. */
export const prefixed: Omit<RouterOptions, 'modules'> = { locales: ['fr', 'en'], localePrefixes: true }

/** A module in all languages, without convention. */
export function shop(declare: (routes: Routes) => void): ModuleRouting {
  return module('Shop', { localized: true, convention: false, steps: [table(declare)] })
}

/**
 * Asserts the whole of an audit.
 *
 * @param app The router.
 * @param counted How many routes were checked and how many URLs were tried: `2 routes, 5 URLs`.
 * @param expected The findings, each as `severity code module | example | winner | message` without places in the
 * source. Actions without a route are left out where a controller has more actions than the test needs.
 */
export function finds(app: Router, counted: string, expected: readonly string[]): void {
  const { findings, routes, urls } = inspect(app).audit()
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
