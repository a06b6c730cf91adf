import type { ShownForm } from 'sallyport/input'

/** A message of the catalogue, as a template translates it. */
export interface PageMessage {
  /** Its identifier. */
  readonly id: string
  /** Values of its placeholders. Default: none. */
  readonly values?: Readonly<Record<string, string | number>>
}

/** Data of a page: `title` is the message of its title. */
export type PageData = Readonly<Record<string, unknown>> & { readonly title: string }

/** What a page says beside what it is about, and what else its response has. */
export interface PageState {
  /** The form, with what was wrong with it. Default: the page has none. */
  readonly form?: ShownForm
  /** What concerns no field. Default: nothing. */
  readonly warning?: PageMessage
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** What a program gets in place of a refused page. Default: what is wrong with the form, otherwise by the status. */
  readonly error?: Error | undefined
}

/** State of a page with a form. */
export interface FormPage extends PageState {
  /** The form, with what was wrong with it. */
  readonly form: ShownForm
}
