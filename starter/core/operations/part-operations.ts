import type { App } from 'sallyport'
import type { Statement } from 'sallyport-app/database'
import type { ReadSettings } from '../boot/environment.ts'
import type { Command } from '../commands/command.ts'
import type { Settings } from '../settings.ts'

/** Something that every process does each hour. */
export interface HourlyWork {
  readonly name: string
  /** Does it. It may run in several processes at once. */
  readonly run: (app: App) => Promise<unknown>
}

/** What a part gives those who run the application. */
export interface PartOperations {
  /** Statements that make its tables. They are never edited once they are released. Default: none. */
  readonly migration?: readonly Statement[]
  /** What has changed its tables in later releases: a list of statements for each, in their order, and none is edited either. Default: none. */
  readonly laterMigrations?: readonly (readonly Statement[])[]
  /** Its tables whose rows end with `expires_at` and count for nothing then: they are deleted after 30 days. Default: none. */
  readonly expiring?: readonly string[]
  /** Reads its environment variables. Default: it has none. */
  readonly environment?: ReadSettings
  /** Settings with which all its routes are there, to be inspected. Default: none are needed. */
  readonly inspected?: () => Partial<Settings>
  /** Its commands for operators, by name. Default: none. */
  readonly commands?: Readonly<Record<string, Command>>
  /** What is done every hour. Default: nothing. */
  readonly hourly?: readonly HourlyWork[]
  /** What an operator should mend, for the command `check`; undefined for nothing. Default: nothing. */
  readonly finding?: (app: App) => Promise<string | undefined>
}
