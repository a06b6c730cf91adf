const MAX_CHARACTERS = 10_000
const LITERAL = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const INNERMOST = /\(;*\)|\[;*\]|\{;*\}/g

/**
 * Whether a text may stand for a type in the file of `sallyport routes --types`: it is one line, and what follows it there is
 * neither in a comment or a literal that it opens nor outside of a bracket that it closes.
 *
 * @param text How TypeScript writes a type.
 * @returns Whether the rest of the file stays what it is.
 */
export function isTypeText(text: string): boolean {
  if (text.trim() === '' || text.length > MAX_CHARACTERS) return false
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text)) return false
  const bare = text.replaceAll(LITERAL, '0')
  if (/['"`]|\/[/*]|\*\//.test(bare)) return false
  let brackets = bare.replaceAll(/[^()[\]{};]/g, '')
  for (let inner = ''; inner !== brackets;) {
    inner = brackets
    brackets = inner.replaceAll(INNERMOST, '')
  }
  return brackets === ''
}
