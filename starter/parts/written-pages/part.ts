import type { Part } from '../../core/part.ts'
import { page } from './page-command.ts'
import { PageResolver } from './page-resolver.ts'
import type { PageTable } from './pages.ts'
import { PublishedPageController } from './published-page-controller.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    page: PageTable
  }
}

/** Pages that the owner of the site writes, such as an imprint. */
export const writtenPages: Part = {
  name: 'written-pages',
  // Behind the table: no page takes the place of one of the program's own.
  root: (module) => {
    module.controllers(PublishedPageController).resolver(PageResolver, { priority: 500 })
  },
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration: [
    `CREATE TABLE page (
      slug TEXT NOT NULL CHECK (slug <> ''),
      language TEXT NOT NULL,
      title TEXT NOT NULL CHECK (title <> ''),
      body TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('draft', 'published')),
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (slug, language)
    ) STRICT, WITHOUT ROWID`,
  ],
  commands: { page },
}
