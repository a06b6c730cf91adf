// A statement that appends text, as the compiler of edge.js writes it: one for each piece of a line and each line feed.
const TEXT = /^(\w+) \+= "((?:[^"\\]|\\.)*)";$/
// An escaped value, which is a string: nothing has to be made one.
const ESCAPED = /^(\w+ \+= )`\$\{(template\.escape\([^`]*\))\}`;$/

/**
 * Joins statements of compiled code that append text one after another, which makes fewer and longer strings. Appends an
 * escaped value as it is.
 *
 * @param code Code that a template was compiled to.
 * @returns Code that does the same.
 */
export function joinText(code: string): string {
  const lines: string[] = []
  let variable = ''
  let text = ''
  const flush = (): void => {
    if (text !== '') lines.push(`${variable} += "${text}";`)
    text = ''
  }
  for (const line of code.split('\n')) {
    const match = TEXT.exec(line)
    if (match === null || match[1] !== variable) flush()
    if (match === null) lines.push(line.replace(ESCAPED, '$1$2;'))
    else {
      variable = match[1] ?? variable
      text += match[2] ?? ''
    }
  }
  flush()
  return lines.join('\n')
}
