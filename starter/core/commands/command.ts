import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Clock, Json } from 'sallyport'
import type { Environment } from '../boot/environment.ts'
import type { OperatorActor } from '../audit/operator.ts'
import type { Opened } from '../opened.ts'

/** What a command works with. */
export interface CommandContext extends Opened {
  readonly environment: Environment
  readonly clock: Clock
  /** Who runs it. */
  readonly operator: OperatorActor
  /** The words after the name of the command, as many as it takes. */
  readonly words: readonly string[]
  /** Its options. */
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
}

/** Something that an operator does at the command line. */
export interface Command {
  /** What follows `npm start --`, as help shows it. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
  /** How many words it takes: the fewest and the most. */
  readonly words: readonly [number, number]
  /** Options beside `--operator` and `--json`. Default: none. */
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor>>
  /**
   * @returns What it prints, without the last line break.
   * @throws {RefusedError} If nothing was done.
   * @throws {IncompleteError} If something is left to mend.
   */
  run(context: CommandContext): Promise<string | Printed>
}

/** What a command prints. */
export interface Printed {
  /** For people. */
  readonly text: string
  /** For programs, with `--json`: beside the lines of the text. */
  readonly facts: Readonly<Record<string, Json>>
}

/** The command was called in another way than its usage says. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Nothing was done. The message says why, and what to do. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** The command did what it could, and something is left that an operator must mend. The message is all that it prints. */
export class IncompleteError extends Error {
  override readonly name = 'IncompleteError'
}

/** @returns Its value; empty when it was not given. */
export function optionOf({ options }: CommandContext, name: string): string {
  const value = options[name]
  return typeof value === 'string' ? value : ''
}

/**
 * What a command prints are sentences, each on a line of its own. Lines without a full stop are a name and its value (`Origin: …`), what
 * comes before a list (`…:`), and what is copied from an indented line: a command, a link or a password. Messages of errors have none, as
 * everywhere.
 */
export function sentence(message: string): string {
  return `${message.replace(/\.$/, '')}.`
}
