/** Checks that every page must pass, run inside the browser. @module */
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { DomElement, DomGlobals } from './dom.ts'

// A 1280 px window at 400 % zoom (WCAG 2.2, 1.4.10), and a desk.
const WIDTHS = [320, 1440]

/** The attributes of a visible field. */
export interface FieldRule {
  /** Its type; empty for none. */
  readonly type: string
  /** What it is filled in with; empty for none. */
  readonly autocomplete: string
  /** The keyboard of a telephone; empty for none. */
  readonly inputmode: string
}

/** The attributes that a field must have, by its name and what it is filled in with; undefined for a field that must not be there. */
export type FieldRules = (name: string, autocomplete: string) => FieldRule | undefined

/**
 * Asserts what {@link assertFittingPage} does, contrast in light and in dark, and what axe finds. Width and colors are put back
 * afterwards.
 *
 * @param page The page, loaded.
 * @param name What it is, for messages.
 * @param rules The attributes of its fields.
 * @throws {AssertionError} If something does not hold.
 */
export async function assertGoodPage(page: Page, name: string, rules: FieldRules): Promise<void> {
  await assertFittingPage(page, name, rules)
  await assertColors(page, name, true)
}

/**
 * Asserts what depends on the texts of a page: its structure, its width and its fields.
 *
 * @param page The page, loaded.
 * @param name What it is, for messages.
 * @param rules The attributes of its fields.
 * @throws {AssertionError} If something does not hold.
 */
export async function assertFittingPage(page: Page, name: string, rules: FieldRules): Promise<void> {
  await assertStructure(page, name)
  await assertWidths(page, name)
  await assertFields(page, name, rules)
}

/**
 * Asserts what needs no rules of an application: structure, windows of 320 and of 1440 px, contrast in light and in dark.
 *
 * @param page The page, loaded.
 * @param name What it is, for messages.
 * @throws {AssertionError} If something does not hold.
 */
export async function assertAccessiblePage(page: Page, name: string): Promise<void> {
  await assertStructure(page, name)
  await assertWidths(page, name)
  await assertColors(page, name, false)
}

async function assertStructure(page: Page, name: string): Promise<void> {
  const facts = await page.evaluate(() => {
    const { document, navigator } = globalThis as unknown as DomGlobals
    const all = (selector: string): DomElement[] => [...document.querySelectorAll(selector)]
    const ids = all('[id]').map(({ id }) => id)
    return {
      lang: document.documentElement.lang,
      asked: navigator.language.slice(0, 2),
      title: document.title,
      mains: all('main').length,
      headings: all('h1, h2, h3, h4').map(({ tagName }) => Number(tagName.slice(1))),
      twice: ids.filter((id, index) => ids.indexOf(id) !== index),
      dangling: all('[aria-describedby], [aria-labelledby]').flatMap((element) => {
        const named = `${element.getAttribute('aria-describedby') ?? ''} ${element.getAttribute('aria-labelledby') ?? ''}`
        return named.split(' ').filter((id) => id !== '' && !ids.includes(id))
      }),
      scripts: all('script:not([src]), [onclick], [onload], [style]').length,
    }
  })
  assert.equal(facts.lang, facts.asked, `${name}: language`)
  assert.match(facts.title, /\S/, `${name}: title`)
  assert.equal(facts.mains, 1, `${name}: one main`)
  assert.equal(facts.headings.filter((level) => level === 1).length, 1, `${name}: one h1`)
  for (const [index, level] of facts.headings.entries()) {
    assert.ok(
      level <= (facts.headings[index - 1] ?? 0) + 1,
      `${name}: heading levels ${facts.headings.join(' ')}`,
    )
  }
  assert.deepEqual(facts.twice, [], `${name}: ids that stand twice`)
  assert.deepEqual(facts.dangling, [], `${name}: references to ids that are not there`)
  assert.equal(facts.scripts, 0, `${name}: nothing that the policy would refuse`)
}

// Only colors depend on the scheme.
const AXE_OPTIONS: Readonly<Record<'light' | 'dark', axe.RunOptions>> = {
  light: {},
  dark: { runOnly: ['color-contrast'] },
}

interface AxeGlobals {
  readonly axe: typeof axe
  readonly document: { getAnimations(): readonly { finish(): void }[] }
}

async function assertColors(page: Page, name: string, withAxe: boolean): Promise<void> {
  // axe runs through the debugger of the browser, which the policy of the page does not concern.
  if (withAxe) await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion: the colors in the middle of a transition are none of the page's.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const at = `${name}, ${colorScheme}`
    assert.deepEqual(await page.evaluate(weakContrasts), [], `${at}: too little contrast`)
    if (withAxe) assert.deepEqual(await page.evaluate(violations, AXE_OPTIONS[colorScheme]), [], `${at}: axe`)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

// Runs inside the page.
async function violations(options: axe.RunOptions): Promise<string[]> {
  const inside = globalThis as unknown as AxeGlobals
  for (const animation of inside.document.getAnimations()) animation.finish()
  const found = await inside.axe.run(options)
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary ?? node.html).join(' ')}`,
  )
}

/**
 * Asserts that each field has one visible label, and the attributes of its kind.
 *
 * @param page The page, loaded.
 * @param name What it is, for messages.
 * @param rules The attributes of its fields.
 * @throws {AssertionError} If something does not hold.
 */
export async function assertFields(page: Page, name: string, rules: FieldRules): Promise<void> {
  const fields = await page.evaluate(() => {
    const { document } = globalThis as unknown as DomGlobals
    const fields = [...document.querySelectorAll('input:not([type=hidden]), select, textarea')]
    return fields
      .filter((field) => field.checkVisibility())
      .map((field) => ({
        name: field.getAttribute('name') ?? '',
        labels: [...(field.labels ?? [])]
          .filter((label) => label.checkVisibility())
          .map((label) => label.textContent?.trim()),
        type: field.getAttribute('type') ?? '',
        autocomplete: field.getAttribute('autocomplete') ?? '',
        inputmode: field.getAttribute('inputmode') ?? '',
      }))
  })
  for (const { name: field, labels, ...attributes } of fields) {
    assert.equal(labels.length, 1, `${name}: the field "${field}" has one visible label`)
    assert.match(labels[0] ?? '', /\S/, `${name}: label of "${field}"`)
    assert.deepEqual(attributes, rules(field, attributes.autocomplete), `${name}: attributes of "${field}"`)
  }
}

async function assertWidths(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 })
    const at = `${name}, ${width} px wide`
    assert.deepEqual(await page.evaluate(tooWide), [], `${at}: wider than the window`)
    assert.deepEqual(await page.evaluate(tightButtons), [], `${at}: buttons that touch words`)
  }
  if (before !== null) await page.setViewportSize(before)
}

// Runs inside the page.
function tooWide(): string[] {
  const { document } = globalThis as unknown as DomGlobals
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const beyond = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (right > clientWidth + 0.5 || left < -0.5)
  })
  return beyond.map(({ tagName, textContent }) => `${tagName} ${textContent ?? ''}`)
}

// No words end right above a button, and words beside one stand in its middle. Runs inside the page.
function tightButtons(): string[] {
  const { document } = globalThis as unknown as DomGlobals
  const isWithin = (inner: DomElement | null, outer: DomElement): boolean =>
    inner !== null && (inner === outer || isWithin(inner.parentElement, outer))
  const hasWords = ({ childNodes }: DomElement): boolean =>
    [...childNodes].some(({ nodeType, textContent }) => nodeType === 3 && (textContent ?? '').trim() !== '')
  // What is one pixel wide is for those who listen.
  const isSeen = (element: DomElement): boolean =>
    element.checkVisibility() && element.getBoundingClientRect().width > 1
  const buttons = [...document.querySelectorAll('main .button')].filter(isSeen)
  const words = [...document.querySelectorAll('main *')].filter(
    (element) => hasWords(element) && isSeen(element) && !buttons.some((button) => isWithin(element, button)),
  )
  return buttons.flatMap((button) => {
    const place = button.getBoundingClientRect()
    const middle = (place.top + place.bottom) / 2
    const isTight = (element: DomElement): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const isAbove = left < place.right && right > place.left && Math.abs(place.top - bottom) < 4
      const isBeside =
        element.parentElement === button.parentElement && top < place.bottom && bottom > place.top
      return isAbove || (isBeside && Math.abs((top + bottom) / 2 - middle) > 2)
    }
    const name = (element: DomElement): string => (element.textContent ?? '').trim().slice(0, 40)
    return words.filter(isTight).map((element) => `${name(element)} / ${name(button)}`)
  })
}

// WCAG 2.2, 1.4.3: text 4.5:1, large text 3:1; 1.4.11: edges of fields and buttons 3:1. Runs inside the page.
function weakContrasts(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as DomGlobals
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number)
  const isOpaque = (color: string): boolean => (channels(color)[3] ?? 1) === 1
  const linear = (channel: number): number =>
    channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(color).map(linear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one: string, other: string): number => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }
  const background = (element: DomElement | null): string => {
    if (element === null) return 'rgb(255, 255, 255)'
    const color = getComputedStyle(element).getPropertyValue('background-color')
    return isOpaque(color) ? color : background(element.parentElement)
  }
  const weak: string[] = []
  const judge = (what: string, [foreground, behind]: readonly [string, string], least: number): void => {
    const ratio = contrast(foreground, behind)
    if (ratio < least)
      weak.push(`${what}: ${foreground} on ${behind} is ${ratio.toFixed(2)}:1, not ${least}:1`)
  }
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility()) continue
    const style = getComputedStyle(element)
    const color = style.getPropertyValue('color')
    const text = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === 3)
      .map((node) => node.textContent?.trim() ?? '')
    const said = text.join(' ').trim()
    const pixels = Number.parseFloat(style.getPropertyValue('font-size'))
    const isBold = Number(style.getPropertyValue('font-weight')) >= 700
    const least = pixels >= 24 || (isBold && pixels >= 18.66) ? 3 : 4.5
    const isField = element.tagName === 'INPUT'
    if (said !== '' || isField) judge(said || 'text of a field', [color, background(element)], least)

    const mark = getComputedStyle(element, '::before')
    const isMarked = /"[^"\s]+"/.test(mark.getPropertyValue('content'))
    const behind = mark.getPropertyValue('background-color')
    if (isMarked)
      judge('mark', [mark.getPropertyValue('color'), isOpaque(behind) ? behind : background(element)], 4.5)

    const edge = style.getPropertyValue('border-top-color')
    const hasEdge = Number.parseFloat(style.getPropertyValue('border-top-width')) > 0
    const around = background(element.parentElement)
    if ((isField || element.tagName === 'BUTTON') && hasEdge)
      judge(`edge of ${element.tagName}`, [edge, around], 3)
  }
  return weak
}
