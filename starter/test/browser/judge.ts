/** What must hold on every page of the starter, and which pages were seen. @module */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertAccessiblePage, assertFields, assertFittingPage, assertGoodPage } from './page-checks.ts'
import { routeOf } from './page-routes.ts'
import type { Visit } from './visit.ts'

// Per change, axe and the check of colors see each page of a file once in each of its statuses; at night, every time.
const NIGHTLY = process.env['NIGHTLY'] === '1'
const judged = new Set<string>()

function isNew(state: string): boolean {
  if (judged.has(state)) return NIGHTLY
  judged.add(state)
  return true
}

/** Looks at pages, and remembers which. */
export class Judge {
  readonly #routes: readonly string[]
  readonly #seen = new Set<string>()

  /**
   * @param routes The routes of the application.
   */
  constructor(routes: readonly string[]) {
    this.#routes = routes
  }

  /** The routes whose pages were seen, and not only refused. */
  get seen(): readonly string[] {
    return [...this.#seen].toSorted()
  }

  /**
   * Asserts what must hold on every page.
   *
   * @param visit The window.
   * @param name What the page is, for messages.
   */
  async look(visit: Visit, name: string): Promise<void> {
    const { page } = visit
    const { path, status } = await visit.sight()
    // A refused form may be at an address that no page has.
    const place = path.replace(/\?.*/, '')
    const shown = status === 200 ? routeOf(place, this.#routes) : place
    if (status === 200) this.#seen.add(shown)
    // axe is a script.
    if (visit.runsScripts) {
      if (isNew(`${status} ${shown}`)) await assertGoodPage(page, name)
      else await assertFittingPage(page, name)
    } else {
      await assertAccessiblePage(page, name)
      await assertFields(page, name)
    }
    await assertErrorIsTied(page, name)
    await assertTokens(page, name)
  }
}

async function assertErrorIsTied(page: Page, name: string): Promise<void> {
  const invalid = await page.locator('[aria-invalid=true]').count()
  if (invalid === 0) return
  assert.equal(
    await page.locator('[role=alert]:visible, .error:visible').count(),
    1,
    `${name}: one error is announced`,
  )
  assert.match(await page.title(), /^(Error|Fehler): /, `${name}: the title says it first`)
}

async function assertTokens(page: Page, name: string): Promise<void> {
  for (const form of await page.locator('form[method=post]').all()) {
    const token = await form.locator('input[name=_csrf]').getAttribute('value')
    assert.match(token ?? '', /^\S{20,}$/, `${name}: token`)
  }
}
