import type { App } from 'sallyport'
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
