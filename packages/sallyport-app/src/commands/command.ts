import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Json } from 'sallyport'
import type { OperatorActor } from '../audit/index.ts'

/** What somebody typed after the name of a command. */
export interface Call {
  /** The words, as many as the command takes. */
  readonly words: readonly string[]
  /** The options. */
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  /** Who runs it: `--operator`, or else the name at the operating system. It is a line of at most 100 characters. */
  readonly operator: OperatorActor
}

/** Something that an operator does at the command line, with what the application gives its commands. */
export interface Command<Context> {
  /** What follows `npm start --`, as help shows it. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
  /** How many words it takes: the fewest and the most. */
  readonly words: readonly [number, number]
  /** Options beside `--operator` and `--json`. One that is called `reason` is required, and must be a reason. Default: none. */
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor>>
  /**
   * Does it.
   *
   * @param context What it works with.
   * @returns What it prints, without the last line break.
   * @throws {RefusedError} If nothing was done.
   * @throws {IncompleteError} If something is left to mend.
   */
  run(context: Context): Promise<string | Printed>
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
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'UsageError'
}

/** Nothing was done. The message says why, and what to do. */
export class RefusedError extends Error {
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'RefusedError'
}

/** The command did what it could, and something is left that an operator must mend. The message is all that it prints. */
export class IncompleteError extends Error {
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'IncompleteError'
}

/**
 * Reads an option that takes a text.
 *
 * @param call What was typed.
 * @param name Name of the option.
 * @returns Its value; empty when it was not typed.
 */
export function optionOf(call: Pick<Call, 'options'>, name: string): string {
  const value = call.options[name]
  return typeof value === 'string' ? value : ''
}

/**
 * Makes a sentence of a message. What a command prints are sentences, each on a line of its own. Lines without a full stop are a name and
 * its value (`Origin: …`), what comes before a list (`…:`), and what is copied from an indented line: a command, a link or a password.
 * Messages of errors have none, as everywhere.
 *
 * @param message A message, with a full stop or without.
 * @returns The same with one full stop.
 */
export function sentence(message: string): string {
  return `${message.replace(/\.$/, '')}.`
}
