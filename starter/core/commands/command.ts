import type { Clock } from 'sallyport'
import type { Call, Command as CommandOf } from 'sallyport-app/commands'
import type { Opened } from 'sallyport-app/program'
import type { Environment } from '../boot/environment.ts'

/** What a command works with. */
export interface CommandContext extends Opened, Call {
  readonly environment: Environment
  readonly clock: Clock
}

/** Something that an operator does at the command line. */
export type Command = CommandOf<CommandContext>
