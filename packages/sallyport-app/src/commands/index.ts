/** What operators do at the command line: the runner of commands, those that every application has, the copy of a running installation. @module */
export { assertCopyable, type BackupSettings, copyDatabases } from './backup.ts'
export { backup } from './backup-command.ts'
export { check, type CheckContext, type CheckOptions } from './check.ts'
export {
  type Call,
  type Command,
  IncompleteError,
  optionOf,
  type Printed,
  RefusedError,
  sentence,
  UsageError,
} from './command.ts'
export { dropMail, mails, retryMail } from './mail-commands.ts'
export type { OperatorCommand, OperatorContext } from './operator-context.ts'
export { rotateKey } from './rotate-key.ts'
export { type CommandEnd, type Program, runCommand } from './run-command.ts'
export { trim } from './trim.ts'
