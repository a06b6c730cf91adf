import type { Part } from '../../core/part.ts'
import module from './module.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'name-changed': true
  }
}

/** The page about the owner of an account, who changes the name there. */
export const profile: Part = {
  name: 'profile',
  modules: () => [module],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  events: ['name-changed'],
  slots: { menu: ['profile::menu'] },
}
