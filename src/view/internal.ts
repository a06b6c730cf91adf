/** What other folders of the framework use of pages. @module */
export type { ViewOptions } from './view.ts'
export { assertNoPromises } from './view-values.ts'
