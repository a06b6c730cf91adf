import { join } from 'node:path'
import { styleText } from 'node:util'
import { asEscapes } from '../core/internal.ts'

// Characters that JSON leaves unescaped and that move a cursor or change the order of characters.
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** Where a command writes, with its width and colors. */
export interface Terminal {
  /** Writes a line. */
  readonly print: (text: string) => void
  /** Writes a value as lines of JSON, with all invisible characters escaped. */
  readonly printJson: (value: unknown) => void
  /** Width in characters; undefined for a file or a pipe, where lines may have any length. */
  readonly width: number | undefined
  /** Highlights a string if colors are supported and wanted. */
  readonly style: (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string
  /** Makes absolute paths in a string relative to the current directory. */
  readonly shorten: (text: string) => string
}

/**
 * @param stream The stream.
 * @param directory The current directory.
 * @returns A terminal for the stream. It respects `NO_COLOR`, `FORCE_COLOR` and `COLUMNS`.
 */
export function terminalOf(stream: NodeJS.WriteStream, directory: string): Terminal {
  const columns = Number(process.env['COLUMNS'])
  return {
    print: (text) => stream.write(`${text}\n`),
    printJson: (value) => stream.write(`${JSON.stringify(value, null, 2).replaceAll(UNSEEN, asEscapes)}\n`),
    width: columns > 0 ? columns : stream.isTTY ? stream.columns : undefined,
    style: (format, text) => styleText(format, text, { stream }),
    shorten: (text) => shortened(text, join(directory, '/')),
  }
}

// A place is the last thing in its brackets, whatever the names below the directory hold. A URL may begin like a path.
function shortened(text: string, directory: string): string {
  const [first = '', ...more] = text.split(`(${directory}`)
  return more.reduce((said, part) => `${said}(${/^[^\n]*?:\d+\)/.test(part) ? '' : directory}${part}`, first)
}
