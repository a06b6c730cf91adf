import type { Clock } from 'sallyport'
import type { Call, Command as CommandOf } from 'sallyport-app/commands'
import type { Environment } from '../boot/environment.ts'
import type { OperatorActor } from '../audit/operator.ts'
import type { Opened } from '../opened.ts'

/** What a command works with. */
export interface CommandContext extends Opened, Pick<Call, 'words' | 'options'> {
  readonly environment: Environment
  readonly clock: Clock
  /** Who runs it. */
  readonly operator: OperatorActor
}

/** Something that an operator does at the command line. */
export type Command = CommandOf<CommandContext>
