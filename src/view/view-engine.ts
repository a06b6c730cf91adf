import type { TemplateException } from './template-exception.ts'

/** An expression of a template, and where it begins. */
export interface TemplateExpression {
  /** The code between the braces or parentheses. */
  readonly code: string
  /** Line, counted from 1. */
  readonly line: number
  /** Column, counted from 1. */
  readonly column: number
}

/** A template as `sallyport check` reads it. */
export interface TemplateSource {
  /** Path of the file. */
  readonly file: string
  /** The expressions, in order; none if the template is malformed. */
  readonly expressions: readonly TemplateExpression[]
  /** Mistakes that are known without rendering it: its syntax, templates that it includes and that do not exist. */
  readonly faults: readonly TemplateException[]
}

const NONE: ReadonlySet<string> = new Set()

/** Renders templates. Register one: `definitions.set(ViewEngine, new EdgeViewEngine({ directory }))`. */
export abstract class ViewEngine {
  /**
   * @param template Name of a template; never input from a client.
   * @param data Data for the template.
   * @returns The page.
   * @throws {Error} If the template does not exist or fails.
   */
  abstract render(template: string, data: Readonly<Record<string, unknown>>): Promise<string>

  /**
   * Reads the templates, so that `sallyport check` finds the names of routes that do not exist. An engine that hands on to
   * another hands this on too. Default: none.
   *
   * @returns All templates.
   */
  templates(): readonly TemplateSource[] {
    return []
  }

  /**
   * Names of which templates never see the data, because the engine or its language has something else of that name. `view()` of a
   * controller refuses them where it is called. An engine that hands on to another hands this on too. Default: none.
   *
   * @returns The names.
   */
  shadowedNames(): ReadonlySet<string> {
    return NONE
  }
}
