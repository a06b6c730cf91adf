/** What other folders of the framework use of pages. @module */
export type { ViewOptions } from './view.ts'
export { assertNoneShadowed, assertNoPromises } from './view-values.ts'
