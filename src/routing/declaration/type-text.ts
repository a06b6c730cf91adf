/**
 * Keeps the text of a type in its place in the file of `sallyport routes --types`, between `name: ` and the end of the member:
 * nothing in it begins a comment, a template or an escape, ends a bracket around it, or stands where another member could
 * begin. Whether it is a type at all, the compiler says when it reads the file.
 *
 * @module
 */
import { shown } from '../../core/internal.ts'

const MAX_CHARACTERS = 10_000
// A string; what ends no type; a bracket or separator. Anything else is refused, "=" too, so that each ">" closes a "<".
const TOKEN = /'[^'\\\t\r\n]*'|"[^"\\\t\r\n]*"|[\w$.|& \t\r\n-]+|[()[\]{}<>;,:?]/gy
// What cannot be seen would be in a literal only, where the reader of the file is misled by it.
const UNSEEN = /[^\P{Cc}\t\r\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const CLOSING = new Map(Object.entries({ '(': ')', '[': ']', '{': '}', '<': '>' }))

/** Why the file cannot hold a type, to be put behind its text; null when it can. */
export function faultOfTypeText(text: string): string | null {
  if (text.length > MAX_CHARACTERS)
    return `, which has ${text.length} characters, where at most ${MAX_CHARACTERS} are taken`
  const unseen = UNSEEN.exec(text)
  if (unseen !== null) return at(text, unseen.index)
  const open: string[] = []
  let end = 0
  for (const [token] of text.matchAll(TOKEN)) {
    const closing = CLOSING.get(token)
    if (closing !== undefined) open.push(closing)
    else if (token === open.at(-1)) open.pop()
    else if (')]}>'.includes(token) || (open.length === 0 && ';,:?'.includes(token))) return at(text, end)
    end += token.length
  }
  const isWhole = end === text.length && open.length === 0 && text.trim() !== ''
  return isWhole ? null : at(text, end)
}

function at(text: string, index: number): string {
  const rest = /^[\w$]+|^[^]/u.exec(text.slice(index))?.[0].slice(0, 20)
  return rest === undefined ? ', at its end' : `, at character ${index + 1}, ${shown(rest)}`
}
