/** What other folders of the package use, and applications do not. @module */
export { narrowed } from './narrowed.ts'
