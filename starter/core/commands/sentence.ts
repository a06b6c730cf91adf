/**
 * What a command prints are sentences, each on a line of its own. Lines without a full stop are a name and its value (`Origin: …`), what comes before a
 * list (`…:`), and what is copied from an indented line: a command, a link or a password. Messages of errors have none, as everywhere.
 *
 * @returns It as a command prints it.
 */
export function sentence(message: string): string {
  return `${message.replace(/\.$/, '')}.`
}
