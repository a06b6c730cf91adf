import { SallyportException } from '../core/index.ts'

/** Where in a template something went wrong. */
export interface TemplatePlace {
  /** Path of the file. */
  readonly file: string
  /** Line, counted from 1. */
  readonly line: number
  /** Column, counted from 1. */
  readonly column: number
}

/** A template is missing or malformed, or it failed. The message names file, line and column; `cause` is what failed. */
export class TemplateException extends SallyportException implements TemplatePlace {
  declare readonly code: 'ERR_VIEW_TEMPLATE'
  /** Path of the file. */
  readonly file: string
  /** Line, counted from 1. */
  readonly line: number
  /** Column, counted from 1. */
  readonly column: number

  /**
   * @param message What went wrong.
   * @param place File, line and column.
   * @param options `cause`: the underlying error. Default: none.
   */
  constructor(message: string, { file, line, column }: TemplatePlace, options?: ErrorOptions) {
    const place = `${file}:${line}:${column}`
    super('ERR_VIEW_TEMPLATE', `${message} (${place})`, options)
    this.file = file
    this.line = line
    this.column = column
  }
}
