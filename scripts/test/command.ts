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

const USAGE =
  'words choose test files by their path, --all chooses all parts (words: some of them), --resume leaves out what has passed, options that begin with --test- go to the test runner of Node'

/**
 * Reads the command line.
 *
 * @param args Arguments behind the program.
 * @returns The command.
 * @throws {RangeError} If an option is unknown, or a word is empty.
 */
export function parseCommand(args: readonly string[]): Command {
  const own = new Set(['--all', '--resume'])
  const unknown = args.filter((arg) => arg.startsWith('-') && !own.has(arg) && !arg.startsWith('--test-'))
  if (unknown.length > 0 || args.includes(''))
    throw new RangeError(`Cannot run the tests with ${unknown.join(' ') || 'an empty word'}: ${USAGE}`)
  const words = args.filter((arg) => !arg.startsWith('-'))
  const quickOrFiles = words.length === 0 ? 'quick' : 'files'
  return {
    kind: args.includes('--all') ? 'all' : quickOrFiles,
    words,
    options: args.filter((arg) => arg.startsWith('-') && !own.has(arg)),
    resumes: args.includes('--resume'),
  }
}
