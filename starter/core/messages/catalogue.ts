import { Translator } from 'sallyport/i18n'
import type { Part } from '../part.ts'
import { account } from './account.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { factors } from './factors.ts'
import { auth, validation } from './forms.ts'
import { LANGUAGES, type Language, type Texts } from './language.ts'
import { layout } from './layout.ts'
import { mails } from './mails.ts'
import { mustEnroll } from './must-enroll.ts'
import { reset } from './reset.ts'
import { notices } from './notices.ts'
import { security } from './security.ts'
import { sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { waits } from './waits.ts'

// Each subject has a file, in which the languages stand side by side. A text that one language lacks does not compile.
const PAGES: readonly Texts[] = [
  layout,
  errors,
  events,
  account,
  signIn,
  signUp,
  factors,
  security,
  mails,
  reset,
  mustEnroll,
  notices,
  sessions,
  waits,
]

/** The messages of one language: by domain, then by identifier. */
export interface LanguageMessages {
  /** Pages and mails. */
  readonly messages: Readonly<Record<string, string>>
  /** What is wrong with a field of a form. */
  readonly validation: Readonly<Record<string, string>>
  /** What is wrong with credentials. */
  readonly auth: Readonly<Record<string, string>>
}

/** The messages of each language. */
export type Catalogues = Readonly<Record<Language, LanguageMessages>>

/**
 * @returns Every text of the application.
 * @throws {Error} If two subjects have a message of the same identifier.
 */
export function cataloguesOf(parts: readonly Part[]): Catalogues {
  const all = [...PAGES, ...parts.flatMap(({ texts }) => texts ?? [])]
  for (const language of LANGUAGES) {
    const ids = all.flatMap((texts) => Object.keys(texts[language]))
    const twice = ids.find((id, index) => ids.indexOf(id) !== index)
    if (twice !== undefined) throw new Error(`Cannot use the messages: "${twice}" is there twice`)
  }
  return { en: messagesIn('en', all), de: messagesIn('de', all) }
}

/**
 * @returns The translator of the application.
 * @throws {Error} If two subjects have a message of the same identifier.
 */
export function createTranslator(parts: readonly Part[]): Translator {
  const catalogues = cataloguesOf(parts)
  return new Translator(
    Object.fromEntries(LANGUAGES.map((language) => [language, { ...catalogues[language] }])),
  )
}

function messagesIn(language: Language, all: readonly Texts[]): LanguageMessages {
  const messages = Object.assign({}, ...all.map((texts) => texts[language])) as Record<string, string>
  return { messages, validation: validation[language], auth: auth[language] }
}
