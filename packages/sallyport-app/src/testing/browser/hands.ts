/** How people use a page: by keyboard alone, or with a mouse. @module */
import assert from 'node:assert/strict'
import type { DomGlobals } from './dom.ts'
import type { Sight, Visit } from './visit.ts'

const MAX_TABS = 60

/** How a person uses a page. */
export interface Hand<V extends Visit = Visit> {
  /** The window. */
  readonly visit: V
  /** Types into the field of that label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Presses the button, or follows the link, whose name begins so. */
  readonly use: (name: string) => Promise<Sight>
}

/** The name of the element in focus, and its ring. */
async function focused({ page }: Visit): Promise<{ readonly name: string; readonly ring: string }> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as DomGlobals
    const element = document.activeElement ?? document.body
    const [label] = element.labels ?? []
    const text = element.getAttribute('aria-label') ?? (label ?? element).textContent ?? ''
    const style = getComputedStyle(element)
    return {
      name: text.replace(/\s+/g, ' ').trim(),
      ring: `${style.getPropertyValue('outline-style')} ${style.getPropertyValue('outline-width')}`,
    }
  })
}

// Goes on with Tab, as a person does, and sees at each step where the focus is.
async function reach(visit: Visit, name: string): Promise<void> {
  for (let tabs = 0; tabs <= MAX_TABS; tabs += 1) {
    const { name: here, ring } = await focused(visit)
    if (here.startsWith(name) && ring !== 'none 0px') {
      assert.equal(ring, 'solid 3px', `${name} shows its focus`)
      return
    }
    await visit.page.keyboard.press('Tab')
  }
  assert.fail(`${visit.page.url()}: Tab does not reach "${name}"`)
}

/**
 * Uses pages by keyboard alone, and sees at each step where the focus is.
 *
 * @param visit The window.
 * @returns The hand. It throws an {@link AssertionError} for what Tab does not reach, and for a focus that is not shown.
 */
export function keyboardOf<V extends Visit>(visit: V): Hand<V> {
  return {
    visit,
    fill: async (label, text) => {
      await reach(visit, label)
      await visit.page.keyboard.press('Control+A')
      await visit.page.keyboard.type(text)
    },
    use: async (name) => {
      await reach(visit, name)
      return visit.press('Enter')
    },
  }
}

/**
 * Uses pages with a mouse.
 *
 * @param visit The window.
 * @returns The hand.
 */
export function mouseOf<V extends Visit>(visit: V): Hand<V> {
  const { page } = visit
  return {
    visit,
    fill: (label, text) => page.getByLabel(label).first().fill(text),
    use: (name) => {
      const named = { name: new RegExp(`^${name}`) }
      const target = page.getByRole('button', named).or(page.getByRole('link', named))
      return visit.after(() => target.first().click())
    },
  }
}
