import type { Part } from '../../core/part.ts'
import { migration } from './migration.ts'
import { page } from './page-command.ts'
import { PageResolver } from './page-resolver.ts'
import { PublishedPageController } from './published-page-controller.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

/** Pages that the owner of the site writes, such as an imprint. */
export const writtenPages: Part = {
  name: 'written-pages',
  // Behind the table: no page takes the place of one of the program's own.
  root: (module) => {
    module.controllers(PublishedPageController).resolver(PageResolver, { priority: 500 })
  },
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  commands: { page },
}
