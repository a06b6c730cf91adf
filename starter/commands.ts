import type { Clock } from 'sallyport'
import { type CommandEnd, type Program, runCommand as runCommandOf, UsageError } from 'sallyport-app/commands'
import { MailSender } from 'sallyport-app/mail'
import type { Variables } from 'sallyport-app/settings'
import { isReason } from './core/audit/reason.ts'
import { readEnvironment } from './core/boot/environment.ts'
import { backup } from './core/commands/backup.ts'
import { check } from './core/commands/check.ts'
import type { Command, CommandContext } from './core/commands/command.ts'
import { dropMail, mails, retryMail } from './core/commands/mail-commands.ts'
import { code, rotateKey, trim } from './core/commands/program-commands.ts'
import { openApplication } from './opened.ts'
import { PARTS } from './parts.ts'

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

const NOTES = [
  'Each is recorded in the audit trail with the name at the operating system, or the one after --operator NAME.',
  'A reason has 5 to 500 characters in one line.',
]

/** Runs a command. */
export function runCommand(line: readonly string[], variables: Variables, clock: Clock): Promise<CommandEnd> {
  const program: Program<CommandContext> = {
    commands: COMMANDS,
    notes: NOTES,
    check: ({ options }, command) => {
      // Every command that has this option requires it.
      if (Object.hasOwn(command.options ?? {}, 'reason')) assertReason(options['reason'])
    },
    open: async ({ words, options, operator }, work) => {
      const environment = readEnvironment(variables, PARTS)
      const opened = await openApplication(environment, clock)
      try {
        // The running application sends what a command writes into the queue.
        await opened.app.get(MailSender).end()
        const actor = { kind: 'operator', name: operator } as const
        return await work({ ...opened, environment, clock, words, options, operator: actor })
      } finally {
        await opened.close()
      }
    },
  }
  return runCommandOf(line, program)
}

function assertReason(given: unknown): void {
  if (typeof given !== 'string') throw new UsageError('--reason TEXT is missing')
  if (!isReason(given)) throw new UsageError('--reason must be a text of 5 to 500 characters in one line')
}
