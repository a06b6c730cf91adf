/**
 * A real browser in tests: its windows, what it complains about, what holds on every page, people who use the keyboard alone.
 * It needs `playwright-core`, and Chromium on the machine; the checks of pages need `axe-core`.
 *
 * @module
 */
export { type BrowserOptions, launchBrowser, missingBrowser } from './chromium.ts'
export type { DomElement, DomGlobals, Style } from './dom.ts'
export { type Hand, keyboardOf, mouseOf } from './hands.ts'
export { Judge, type JudgeOptions, routeOf } from './judge.ts'
export { assertAccessiblePage, assertGoodPage, type FieldRule, type FieldRules } from './page-checks.ts'
export { findInLanguage, type Wordings } from './in-language.ts'
export { plainSite } from './plain-site.ts'
export { type Sight, Visit, type WindowOptions } from './visit.ts'
export { toWebp } from './webp.ts'
