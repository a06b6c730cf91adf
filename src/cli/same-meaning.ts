// Comments, texts, names and single characters.
const TOKEN = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\w$]+|[^\s\w$]/g
const NAME = /^[A-Za-z_$][\w$]*$/
// What a formatter adds and removes: separators, and the bar before the first type of a union.
const SEPARATOR = /^(?:[;,]$|\/[/*])/
const OPENING = /^[:=(<{[|&]$/

/**
 * Compares two declaration files, whatever a formatter, an editor or Git has made of one of them.
 *
 * @param one Text of a file.
 * @param other Text of the other.
 * @returns Whether they differ at most in blanks, line endings, quotes, separators and comments.
 */
export function haveSameMeaning(one: string, other: string): boolean {
  return meaningOf(one) === meaningOf(other)
}

function meaningOf(text: string): string {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !SEPARATOR.test(token))
  return tokens
    .filter((token, at) => token !== '|' || !OPENING.test(tokens[at - 1] ?? ''))
    .map((token, at, all) => unquoted(token, all[at + 1] ?? ''))
    .join('\n')
}

// A key needs no quotes if it is a name.
function unquoted(token: string, next: string): string {
  if (!/^['"]/.test(token)) return token
  const content = token.slice(1, -1).replaceAll(/\\(['"])/g, '$1')
  return NAME.test(content) && /^[:?]$/.test(next) ? content : JSON.stringify(content)
}
