/** Confirming again, in the steps of the page. @module */
import assert from 'node:assert/strict'
import { type Browser, PASSWORD, type Page, type Person, type World } from '../support.ts'

/** The page that asks. */
export const CONFIRM = '/account/confirm'

/** Opens a page that needs a step-up, and proves what is asked for. @returns The page of the action. */
export async function confirm(
  world: World,
  browser: Browser,
  { person, path, factor }: { readonly person: Person; readonly path: string; readonly factor?: string },
): Promise<Page> {
  const asked = await browser.open(path)
  if (asked.status === 200) return asked
  const shown = await browser.open(asked.location ?? '')
  const page = await browser.submit(CONFIRM, {
    return_url: path,
    ...(factor !== undefined && { factor }),
    ...(shown.html.includes('name="password"') && { password: PASSWORD }),
    ...(shown.html.includes('name="code"') && { code: await world.code(person) }),
  })
  assert.deepEqual([page.status, page.location], [303, path])
  return browser.open(path)
}
