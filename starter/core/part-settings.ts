import type { Variables } from 'sallyport-app/settings'
import type { Settings } from './settings.ts'

/** What a part reads of its environment variables. */
export interface PartSettings {
  readonly settings: Partial<Settings>
  /** What is switched on by them, for the command `check`, such as `codes by mail (MAIL_CODES)`. */
  readonly switchedOn: string
}

/** Reads environment variables; undefined when they switch nothing on. It throws a `StartupError` that names one that is malformed. */
export type ReadSettings = (variables: Variables, isProduction: boolean) => PartSettings | undefined
