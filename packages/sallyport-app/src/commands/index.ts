/** What operators do at the command line: the runner of commands, and the copy of a running installation. @module */
export { assertCopyable, type BackupSettings, copyDatabases } from './backup.ts'
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
export { type CommandEnd, type Program, runCommand } from './run-command.ts'
