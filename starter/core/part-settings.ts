import type { Settings } from './settings.ts'

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What a part reads of its environment variables. */
export interface PartSettings {
  /** Settings that they make. */
  readonly settings: Partial<Settings>
  /** What is switched on by them, for the command `check`, such as `codes by mail (MAIL_CODES)`. */
  readonly switchedOn: string
}

/** Something that reads environment variables. */
export interface ReadsEnvironment {
  /**
   * Reads its environment variables; undefined when they switch nothing on. It throws a `StartupError` that names one that is malformed.
   * Default: it has none.
   */
  readonly environment?: (variables: Variables, isProduction: boolean) => PartSettings | undefined
}
