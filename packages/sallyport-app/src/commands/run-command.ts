import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { HttpException } from 'sallyport/http'
import { ValidationException } from 'sallyport/input'
import { isReason, type OperatorActor } from '../audit/index.ts'
import { StartupError } from '../settings/index.ts'
import { isOwnerName } from '../text/index.ts'
import {
  type Call,
  type Command,
  IncompleteError,
  type Printed,
  RefusedError,
  sentence,
  UsageError,
} from './command.ts'

const JSON_OPTION = '--json'
const HELP: readonly string[] = ['help', '--help', '-h']

/** The commands of an application. */
export interface Program<Context> {
  /** By their names. */
  readonly commands: Readonly<Record<string, Command<Context>>>
  /** What help says about all of them: sentences. */
  readonly notes: readonly string[]
  /**
   * Opens what commands work with, and closes it afterwards.
   *
   * @param call What was typed.
   * @param work What is done in between.
   * @returns What that returns.
   */
  open(call: Call, work: (context: Context) => Promise<Printed>): Promise<Printed>
}

/** How a command ended. */
export interface CommandEnd {
  /** 0 for done, 1 for refused, failed or left incomplete, 2 for called in a wrong way. */
  readonly exitCode: number
  /** What it prints: on the standard output when it is done, else on the standard error. */
  readonly text: string
}

/**
 * Runs a command, or says how it is called.
 *
 * @param line What was typed after `npm start --`.
 * @param program The commands.
 * @returns How it ended. Refusals and mistakes are ends; what nobody expected is thrown.
 */
export async function runCommand<Context>(
  line: readonly string[],
  program: Program<Context>,
): Promise<CommandEnd> {
  const { commands } = program
  const [name = '', ...rest] = line
  if (HELP.includes(name)) return { exitCode: 0, text: helpText(program) }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    return endOf(rest, {
      exitCode: 2,
      text: `Cannot run ${JSON.stringify(name)}: there is no such command. "npm start -- help" lists all of them.\n`,
    })
  if (rest.some((word) => HELP.slice(1).includes(word)))
    return { exitCode: 0, text: `Usage: npm start -- ${command.usage}\n\n${sentence(command.summary)}\n` }
  try {
    const call = parse(command, rest)
    const { text, facts } = await program.open(call, async (context) => toPrinted(await command.run(context)))
    return endOf(rest, { exitCode: 0, text: `${text}\n` }, facts)
  } catch (error) {
    return endOf(rest, toEnd(name, command.usage, error))
  }
}

// Also where the line is wrong: a program that asked for JSON reads nothing else.
function endOf(
  line: readonly string[],
  { exitCode, text }: CommandEnd,
  facts: Printed['facts'] = {},
): CommandEnd {
  if (!line.includes(JSON_OPTION)) return { exitCode, text }
  const lines = text.split('\n').filter((each) => each !== '')
  return { exitCode, text: `${JSON.stringify({ done: exitCode === 0, lines, ...facts })}\n` }
}

function toPrinted(printed: string | Printed): Printed {
  return typeof printed === 'string' ? { text: printed, facts: {} } : printed
}

function parse<Context>(command: Command<Context>, line: readonly string[]): Call {
  const options = { operator: { type: 'string' }, json: { type: 'boolean' }, ...command.options } as const
  try {
    const { values, positionals } = parseArgs({ args: [...line], options, allowPositionals: true })
    const [fewest, most] = command.words
    if (positionals.length < fewest) throw new UsageError('an argument is missing')
    if (positionals.length > most)
      throw new UsageError(`unexpected argument ${JSON.stringify(positionals[most])}`)
    if ('reason' in options) assertReason(Reflect.get(values, 'reason'))
    return { words: positionals, options: values, operator: operatorOf(values.operator) }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error
    throw new UsageError(error.message.split('\n')[0] ?? '')
  }
}

function assertReason(given: unknown): void {
  if (typeof given !== 'string') throw new UsageError('--reason TEXT is missing')
  if (!isReason(given)) throw new UsageError('--reason must be a text of 5 to 500 characters in one line')
}

function operatorOf(given: unknown): OperatorActor {
  const name = (typeof given === 'string' ? given : systemName()).trim()
  if (!isOwnerName(name)) throw new UsageError('--operator must be a name of 1 to 100 characters')
  return { kind: 'operator', name }
}

// A container may run under a number that has no name.
function systemName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

function toEnd(name: string, usage: string, error: unknown): CommandEnd {
  const refused = (text: string): CommandEnd => ({ exitCode: 1, text: `${sentence(text)}\n` })
  if (error instanceof UsageError)
    return {
      exitCode: 2,
      text: `${sentence(`Cannot run "${name}": ${error.message}`)}\nUsage: npm start -- ${usage}\n`,
    }
  if (error instanceof IncompleteError) return { exitCode: 1, text: `${error.message}\n` }
  if (error instanceof ValidationException)
    return refused(`Refused: ${error.violations.map(({ fallback }) => fallback).join('; ')}`)
  if (error instanceof StartupError) return refused(`Cannot start: ${error.message}`)
  if (error instanceof RefusedError || error instanceof HttpException)
    return refused(`Refused: ${error.message}`)
  throw error
}

function helpText<Context>({ commands, notes }: Program<Context>): string {
  const lines = Object.values(commands).flatMap(({ usage, summary }) => [
    `  npm start -- ${usage}`,
    `      ${summary}`,
  ])
  return [
    'npm start alone serves the application. After "--" it does one of these:',
    '',
    ...lines,
    '',
    ...notes,
    'With --json it prints one JSON object: whether it is done, its lines, and what some commands add.',
    'It ends with 0 when it is done, with 1 when it was refused, failed or left something to mend, with 2 when it was called in a wrong way.',
    '',
  ].join('\n')
}
