import type { App } from 'sallyport'
import type { ServerSettings } from '../settings/index.ts'
import type { BackupSettings } from './backup.ts'
import type { Call, Command } from './command.ts'

/** What the commands of this package work with: an application gives its own commands at least as much. */
export interface OperatorContext extends Call {
  /** The application, booted. */
  readonly app: App
  /** Its settings. */
  readonly environment: BackupSettings & Pick<ServerSettings, 'keys'>
}

/** A command for every application with the services that it needs. */
export type OperatorCommand = Command<OperatorContext>
