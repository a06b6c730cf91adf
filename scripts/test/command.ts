/**
 * What is asked for on the command line.
 *
 * @module
 */

/** A command. */
export interface Command {
  /** Files by word, the quick parts, or all parts. */
  readonly kind: 'files' | 'quick' | 'all'
  /** Words in paths of files, or names of parts. */
  readonly words: readonly string[]
  /** Options of Node's test runner. */
  readonly options: readonly string[]
  /** Whether parts that have passed since this commit was made are left out. */
  readonly resumes: boolean
}

/**
 * Reads the command line.
 *
 * @param args Arguments behind the program.
 * @returns The command.
 */
export function parseCommand(args: readonly string[]): Command {
  const own = new Set(['--all', '--resume'])
  const words = args.filter((arg) => !arg.startsWith('-'))
  const quickOrFiles = words.length === 0 ? 'quick' : 'files'
  return {
    kind: args.includes('--all') ? 'all' : quickOrFiles,
    words,
    options: args.filter((arg) => arg.startsWith('-') && !own.has(arg)),
    resumes: args.includes('--resume'),
  }
}
