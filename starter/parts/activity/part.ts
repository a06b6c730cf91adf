import type { Part } from '../../core/part.ts'
import module from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

/** What happened on an account, for its owner: in words, and as files. */
export const activity: Part = {
  name: 'activity',
  modules: () => [module],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  slots: { menu: ['activity::menu'], events: ['activity::link'], leaving: ['activity::leaving'] },
}
