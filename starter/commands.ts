import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import type { Clock } from 'sallyport'
import { HttpException } from 'sallyport/http'
import { ValidationException } from 'sallyport/input'
import { type Environment, readEnvironment } from './core/boot/environment.ts'
import { StartupError } from './core/boot/startup-error.ts'
import { isOwnerName } from 'sallyport-app/text'
import type { OperatorActor } from './core/audit/operator.ts'
import { isReason } from './core/audit/reason.ts'
import { MailSender } from 'sallyport-app/mail'
import { openApplication } from './opened.ts'
import { PARTS } from './parts.ts'
import { backup } from './core/commands/backup.ts'
import { check } from './core/commands/check.ts'
import {
  type Command,
  type CommandContext,
  IncompleteError,
  type Printed,
  RefusedError,
  sentence,
  UsageError,
} from './core/commands/command.ts'
import { dropMail, mails, retryMail } from './core/commands/mail-commands.ts'
import { code, rotateKey, trim } from './core/commands/program-commands.ts'

/** The commands by name: those of the core, and those of the parts. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'rotate-key': rotateKey,
  backup,
  check,
  trim,
  code,
  mails,
  'retry-mail': retryMail,
  'drop-mail': dropMail,
  ...Object.fromEntries(PARTS.flatMap(({ commands = {} }) => Object.entries(commands))),
}

const JSON_OPTION = '--json'
const HELP: readonly string[] = ['help', '--help', '-h']

/** How a command ended. */
export interface CommandEnd {
  /** 0 for done, 1 for refused, failed or left incomplete, 2 for called in a wrong way. */
  readonly exitCode: number
  /** What it prints: on the standard output when it is done, else on the standard error. */
  readonly text: string
}

/** Runs a command. */
export async function runCommand(
  line: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<CommandEnd> {
  const [name = '', ...rest] = line
  if (HELP.includes(name)) return { exitCode: 0, text: helpText() }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined)
    return endOf(rest, {
      exitCode: 2,
      text: `Cannot run ${JSON.stringify(name)}: there is no such command. "npm start -- help" lists all of them.\n`,
    })
  if (rest.some((word) => HELP.slice(1).includes(word)))
    return { exitCode: 0, text: `Usage: npm start -- ${command.usage}\n\n${sentence(command.summary)}\n` }
  try {
    const call = parse(command, rest)
    const { text, facts } = await runOpened(command, {
      ...call,
      environment: readEnvironment(variables, PARTS),
      clock,
    })
    return endOf(rest, { exitCode: 0, text: `${text}\n` }, facts)
  } catch (error) {
    return endOf(rest, toEnd(name, command, error))
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

type Call = Pick<CommandContext, 'words' | 'options' | 'operator'>

async function runOpened(
  command: Command,
  call: Call & { readonly environment: Environment; readonly clock: Clock },
): Promise<Printed> {
  const opened = await openApplication(call.environment, call.clock)
  try {
    // The running application sends what a command writes into the queue.
    await opened.app.get(MailSender).end()
    const printed = await command.run({ ...opened, ...call })
    return typeof printed === 'string' ? { text: printed, facts: {} } : printed
  } finally {
    await opened.close()
  }
}

function parse(command: Command, line: readonly string[]): Call {
  const options = { operator: { type: 'string' }, json: { type: 'boolean' }, ...command.options } as const
  try {
    const { values, positionals } = parseArgs({ args: [...line], options, allowPositionals: true })
    const [fewest, most] = command.words
    if (positionals.length < fewest) throw new UsageError('an argument is missing')
    if (positionals.length > most)
      throw new UsageError(`unexpected argument ${JSON.stringify(positionals[most])}`)
    const given: Call['options'] = values
    if (Object.hasOwn(options, 'reason')) assertReason(given['reason'])
    return { words: positionals, options: given, operator: operatorOf(values.operator) }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error
    throw new UsageError(error.message.split('\n')[0] ?? '')
  }
}

// Every command that has this option requires it.
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

function toEnd(name: string, { usage }: Command, error: unknown): CommandEnd {
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

function helpText(): string {
  const lines = Object.values(COMMANDS).flatMap(({ usage, summary }) => [
    `  npm start -- ${usage}`,
    `      ${summary}`,
  ])
  return [
    'npm start alone serves the application. After "--" it does one of these:',
    '',
    ...lines,
    '',
    'Each is recorded in the audit trail with the name at the operating system, or the one after --operator NAME.',
    'A reason has 5 to 500 characters in one line.',
    'With --json it prints one JSON object: whether it is done, its lines, and what some commands add.',
    'It ends with 0 when it is done, with 1 when it was refused, failed or left something to mend, with 2 when it was called in a wrong way.',
    '',
  ].join('\n')
}
