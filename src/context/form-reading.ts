/** What reads forms, loaded when the first one arrives. @module */
export { parseForm } from '../input/internal.ts'
