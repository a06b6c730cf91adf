/** What other folders of the framework need of pages. @module */
export type { ViewOptions } from './view.ts'
