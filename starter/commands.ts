import type { Clock } from 'sallyport'
import {
  backup,
  type CommandEnd,
  dropMail,
  mails,
  type Program,
  retryMail,
  rotateKey,
  runCommand as runCommandOf,
  trim,
} from 'sallyport-app/commands'
import { forCommand } from 'sallyport-app/program'
import type { Variables } from 'sallyport-app/settings'
import { readEnvironment } from './core/boot/environment.ts'
import { check } from './core/commands/check.ts'
import { code } from './core/commands/code.ts'
import type { Command, CommandContext } from './core/commands/command.ts'
import { FactorVault } from './core/factors/factor-vault.ts'
import { openApplication } from './opened.ts'
import { PARTS } from './parts.ts'

/** The commands by name: those of the core, and those of the parts. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'rotate-key': rotateKey(FactorVault),
  backup,
  check,
  trim,
  code,
  mails,
  'retry-mail': retryMail,
  'drop-mail': dropMail,
  ...Object.fromEntries(PARTS.flatMap(({ commands = {} }) => Object.entries(commands))),
}

const NOTES = [
  'Each is recorded in the audit trail with the name at the operating system, or the one after --operator NAME.',
  'A reason has 5 to 500 characters in one line.',
]

/** Runs a command. */
export function runCommand(line: readonly string[], variables: Variables, clock: Clock): Promise<CommandEnd> {
  const program: Program<CommandContext> = {
    commands: COMMANDS,
    notes: NOTES,
    open: async (call, work) => {
      const environment = readEnvironment(variables, PARTS)
      return forCommand(openApplication(environment, clock), (opened) =>
        work({ ...opened, ...call, environment, clock }),
      )
    },
  }
  return runCommandOf(line, program)
}
