/** What must hold on every page of an application, and which of its pages were seen. @module */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  assertAccessiblePage,
  assertFields,
  assertFittingPage,
  assertGoodPage,
  type FieldRules,
} from './page-checks.ts'
import type { Visit } from './visit.ts'

/** What a judge knows of an application. */
export interface JudgeOptions {
  /** Its routes, as `/accounts/{id}`; `*` at the end stands for one segment. */
  readonly routes: readonly string[]
  /** The attributes of its fields. */
  readonly fields: FieldRules
  /** How the title of a page begins whose form was refused. */
  readonly errorTitle: RegExp
  /** Whether axe and the check of colors see a page each time, and not only once for each of its statuses. Default: false. */
  readonly isThorough?: boolean
}

// Of all judges of a process: what one has seen in full, the next one sees in short.
const judged = new Set<string>()

/** Looks at pages, and remembers which. */
export class Judge {
  readonly #options: JudgeOptions
  readonly #seen = new Set<string>()

  /**
   * @param options What it knows of the application.
   */
  constructor(options: JudgeOptions) {
    this.#options = options
  }

  /** The routes whose pages were seen, and not only refused. */
  get seen(): readonly string[] {
    return [...this.#seen].toSorted()
  }

  /**
   * Asserts what must hold on every page: structure, width, contrast, fields, errors that are announced, tokens of forms.
   *
   * @param visit The window.
   * @param name What the page is, for messages.
   * @throws {AssertionError} If something does not hold.
   * @throws {TypeError} If no route shows the page.
   */
  async look(visit: Visit, name: string): Promise<void> {
    const { page } = visit
    const { routes, fields } = this.#options
    const { path, status } = await visit.sight()
    // A refused form may be at an address that no page has.
    const place = path.replace(/\?.*/, '')
    const shown = status === 200 ? routeOf(place, routes) : place
    if (status === 200) this.#seen.add(shown)
    // axe is a script.
    if (visit.runsScripts) {
      if (this.#isNew(`${status} ${shown}`)) await assertGoodPage(page, name, fields)
      else await assertFittingPage(page, name, fields)
    } else {
      await assertAccessiblePage(page, name)
      await assertFields(page, name, fields)
    }
    await this.#assertErrorIsTied(page, name)
    await assertTokens(page, name)
  }

  #isNew(state: string): boolean {
    if (judged.has(state)) return this.#options.isThorough === true
    judged.add(state)
    return true
  }

  async #assertErrorIsTied(page: Page, name: string): Promise<void> {
    const invalid = await page.locator('[aria-invalid=true]').count()
    if (invalid === 0) return
    assert.equal(
      await page.locator('[role=alert]:visible, .error:visible').count(),
      1,
      `${name}: one error is announced`,
    )
    assert.match(await page.title(), this.#options.errorTitle, `${name}: the title says it first`)
  }
}

/**
 * Finds the route that shows a path: of several, the one with the fewest placeholders.
 *
 * @param path Path of a page.
 * @param routes The routes of the application.
 * @returns The route.
 * @throws {TypeError} If none does.
 */
export function routeOf(path: string, routes: readonly string[]): string {
  const placeholders = (route: string): number => route.split(/[{*]/).length
  const fitting = routes.filter((route) => patternOf(route).test(path))
  const [route] = fitting.toSorted((one, other) => placeholders(one) - placeholders(other))
  if (route === undefined) throw new TypeError(`Cannot find the route of ${path}`)
  return route
}

function patternOf(route: string): RegExp {
  const source = route.replaceAll(/\{[^}]*\}/g, '[^/]+').replace(/\*$/, '[^/]+')
  return new RegExp(`^${source}$`)
}

async function assertTokens(page: Page, name: string): Promise<void> {
  for (const form of await page.locator('form[method=post]').all()) {
    const token = await form.locator('input[name=_csrf]').getAttribute('value')
    assert.match(token ?? '', /^\S{20,}$/, `${name}: token`)
  }
}
