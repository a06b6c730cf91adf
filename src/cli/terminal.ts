import { relative } from 'node:path'
import { styleText } from 'node:util'
import { asEscapes } from '../core/internal.ts'

// What JSON leaves as it is: whatever moves a cursor or changes the order of characters.
const UNSEEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** Where a command writes, and how wide and colourful. */
export interface Terminal {
  /** Writes a text and a line end. */
  readonly print: (text: string) => void
  /** Writes a value for programs, in lines of JSON in which all is seen. */
  readonly printJson: (value: unknown) => void
  /** How wide it is; undefined: as wide as need be, for it is a file or a pipe. */
  readonly width: number | undefined
  /** Makes a text stand out, where colours are seen and wanted. */
  readonly style: (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string
  /** Shortens the absolute paths in a text to those from here. */
  readonly shorten: (text: string) => string
}

/**
 * @param stream The stream.
 * @param directory The current directory.
 * @returns It, as a terminal. `NO_COLOR`, `FORCE_COLOR` and `COLUMNS` are heeded.
 */
export function terminalOf(stream: NodeJS.WriteStream, directory: string): Terminal {
  const columns = Number(process.env['COLUMNS'])
  return {
    print: (text) => stream.write(`${text}\n`),
    printJson: (value) => stream.write(`${JSON.stringify(value, null, 2).replaceAll(UNSEEN, asEscapes)}\n`),
    width: columns > 0 ? columns : stream.isTTY ? stream.columns : undefined,
    style: (format, text) => styleText(format, text, { stream }),
    shorten: (text) => text.replaceAll(/\/[^\s()":]+(?=:\d+)/g, (path) => nearer(directory, path)),
  }
}

function nearer(directory: string, path: string): string {
  const near = relative(directory, path)
  return near.startsWith('..') || near === '' ? path : near
}
