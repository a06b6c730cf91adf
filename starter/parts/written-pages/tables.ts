/** One row for each language of a page that the site's owner wrote. */
export interface PageTable {
  /** The path without its slash, such as `imprint`. */
  slug: string
  /** One of the languages of the application. */
  language: string
  title: string
  /** Plain text; a blank line begins a paragraph. */
  body: string
  /** Only `published` ones are found. */
  state: 'draft' | 'published'
  updated_at: number
}

declare module '../../core/database/schema.ts' {
  interface Schema {
    page: PageTable
  }
}
